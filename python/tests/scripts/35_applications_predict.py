"""Networks of keras.applications on a picture: preprocess, predict, decode."""

import numpy as np
from tensorflow.keras.applications.mobilenet import MobileNet, decode_predictions, preprocess_input
from tensorflow.keras.applications.resnet50 import preprocess_input as resnet_preprocess
from tensorflow.keras.applications.vgg16 import VGG16
from tensorflow.keras.applications.vgg16 import preprocess_input as vgg_preprocess
from tensorflow.keras.models import Model
from tensorflow.keras.preprocessing import image

from _same import report, same_weights

y, x = np.mgrid[0:64, 0:64]
picture = np.stack([x * 3, y * 2, (x * y) % 200], axis=-1).astype("float32")
image.save_img("elephant.png", picture, scale=False)

model = MobileNet(weights=None, input_shape=(64, 64, 3), alpha=0.25)
same_weights(model)
img = image.load_img("elephant.png", target_size=(64, 64))
batch = np.expand_dims(image.img_to_array(img), axis=0)
batch = preprocess_input(batch)
report("preprocessed", batch[0, ::16, ::16])
preds = model.predict(batch, verbose=0)
report("predictions", preds)
print("Predicted:", decode_predictions(preds, top=3)[0])
best = decode_predictions(preds, top=5)[0]
report("decoded_count", len(best))
report("decoded_first", best[0][1])
report("resnet", resnet_preprocess(picture[np.newaxis].copy())[0, ::16, ::16])
report("vgg", vgg_preprocess(picture[np.newaxis].copy())[0, ::16, ::16])

vgg = VGG16(weights=None, include_top=False, input_shape=(32, 32, 3))
report("vgg_layers", [layer.name for layer in vgg.layers][1:])
extractor = Model(inputs=vgg.inputs, outputs=vgg.get_layer("block2_pool").output)
same_weights(extractor)
report("features", extractor.predict(picture[np.newaxis, :32, :32] / 255, verbose=0))
