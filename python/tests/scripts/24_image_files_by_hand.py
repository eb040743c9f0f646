"""Pictures listed, read, decoded, resized and labelled by hand in tf.data."""

import os
import pathlib

import numpy as np
import tensorflow as tf

from _same import report

IMG_SIZE = 20
data_dir = pathlib.Path("flowers")
for label, name in enumerate(["daisy", "rose"]):
    os.makedirs(data_dir / name)
    for number in range(5):
        y, x = np.mgrid[0:30, 0:40]
        image = np.stack([x * 6, y * 8, np.full_like(x, 40 * number + label)], axis=-1)
        picture = tf.keras.utils.array_to_img(image.astype("float32"), scale=False)
        picture.save(data_dir / name / f"{number}.jpg", quality=95)
        picture.save(data_dir / name / f"{number}.png")

list_ds = tf.data.Dataset.list_files(str(data_dir / "*/*.jpg"), shuffle=False)
report("count", len(list(list_ds)))
class_names = np.array(sorted(item.name for item in data_dir.glob("*")))


def get_label(file_path):
    parts = tf.strings.split(file_path, os.path.sep)
    one_hot = parts[-2] == class_names
    return tf.argmax(one_hot)


def decode_img(img):
    img = tf.io.decode_jpeg(img, channels=3)
    return tf.image.resize(img, [IMG_SIZE, IMG_SIZE])


def process_path(file_path):
    return decode_img(tf.io.read_file(file_path)), get_label(file_path)


labeled_ds = list_ds.map(process_path, num_parallel_calls=tf.data.AUTOTUNE)
images, labels = next(iter(labeled_ds.batch(10)))
report("labels", labels)
# Decoders of JPEG differ by a grey level.
report("mean", tf.reduce_mean(images, axis=[1, 2, 3]), atol=0.5)
report("shape", images.shape)

png = tf.io.read_file(str(data_dir / "rose" / "2.png"))
image = tf.image.decode_png(png, channels=3)
report("type", image.dtype.name)
report("png", image[::10, ::10])
image = tf.image.convert_image_dtype(image, tf.float32)
report("float", image[::10, ::10])
report("resized", tf.image.resize(image, (15, 20)))
report("nearest", tf.image.resize(image, (15, 20), method="nearest"))
report("flipped", tf.image.flip_left_right(image)[:2, :3])
report("rotated", tf.image.rot90(image)[:2, :3])
report("grey", tf.image.rgb_to_grayscale(image)[::10, ::10])
report("brighter", tf.image.adjust_brightness(image, 0.1)[::10, ::10])
report("contrast", tf.image.adjust_contrast(image, 1.5)[::10, ::10])
report("cropped", tf.image.central_crop(image, 0.5)[::5, ::5])
report("boxed", tf.image.crop_to_bounding_box(image, 3, 4, 5, 6))
report("with_pad", tf.image.resize_with_pad(image, 24, 24)[::6, ::6])
decoded = tf.image.decode_jpeg(tf.io.read_file(str(data_dir / "rose" / "2.jpg")))
report("decoded", decoded.shape)
report("any", tf.image.decode_image(png).shape)
report("exists", os.path.exists(str(data_dir / "rose")))
