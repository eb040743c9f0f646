"""python_run.py MODEL PHOTOS RUN: trains a model of Keras on folders of images, some of them broken, with keras.callbacks.TensorBoard."""
import sys

from plimsoll import keras

with open(sys.argv[1], encoding="utf-8") as file:
    model = keras.models.model_from_json(file.read())
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
train, held_back = keras.utils.image_dataset_from_directory(
    sys.argv[2], image_size=(24, 24), batch_size=32, seed=3, validation_split=0.2, subset="both")
board = keras.callbacks.TensorBoard(sys.argv[3] + "/tensorboard", bad_records=True)
model.fit(train, validation_data=held_back, epochs=3, verbose=0, run=sys.argv[3], on_bad_record="skip", max_bad=0.2, callbacks=[board])
