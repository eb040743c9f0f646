"""Images: tf.image functions, augmentation layers in tf.data, own preprocessing, Grad-CAM and feature maps."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

rng = np.random.default_rng(0)
image = tf.constant(rng.integers(0, 256, (10, 12, 3)), tf.uint8)
floating = tf.image.convert_image_dtype(image, tf.float32)
report("converted", floating[0, 0])
report("back", tf.image.convert_image_dtype(floating, tf.uint8)[0, 0])
report("flipped", tf.image.flip_left_right(image)[0, 0])
report("up_down", tf.image.flip_up_down(image)[0, 0])
report("gray", tf.image.rgb_to_grayscale(floating)[:2, :2, 0])
report("back_to_rgb", list(tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(floating)).shape))
report("rotated", tf.image.rot90(image, k=1)[0, :3, 0])
report("transposed", tf.image.transpose(image).shape.as_list())
report("brightness", tf.image.adjust_brightness(floating, 0.2)[0, 0])
report("contrast", tf.image.adjust_contrast(floating, 2.0)[0, 0])
report("saturation", tf.image.adjust_saturation(floating, 0.5)[0, 0])
report("hue", tf.image.adjust_hue(floating, 0.1)[0, 0])
report("gamma", tf.image.adjust_gamma(floating, 2.0)[0, 0])
report("cropped", tf.image.central_crop(floating, 0.5).shape.as_list())
report("boxed", tf.image.crop_to_bounding_box(image, 1, 2, 3, 4)[0, 0])
report("padded", tf.image.pad_to_bounding_box(image, 1, 1, 14, 14)[0, 0])
report("crop_or_pad", tf.image.resize_with_crop_or_pad(image, 8, 16)[4, :4, 0])
report("with_pad", tf.image.resize_with_pad(floating, 8, 8)[4, 4])
for method in ("bilinear", "nearest", "bicubic", "area", "lanczos3"):
    report("resize_" + method, tf.image.resize(floating, [5, 6], method=method)[1, 1], atol=1e-4)
report("resize_up", tf.image.resize(floating, (20, 24))[3, 3])
report("antialias", tf.image.resize(floating, (5, 6), antialias=True)[2, 2], atol=1e-4)
report("standardized", tf.image.per_image_standardization(floating)[0, 0])
report("variation", tf.image.total_variation(floating))
report("hsv", tf.image.rgb_to_hsv(floating)[0, 0])
report("rgb", tf.image.hsv_to_rgb(tf.image.rgb_to_hsv(floating))[0, 0])
report("psnr", tf.image.psnr(floating, floating * 0.9, max_val=1.0), atol=1e-3)
big = tf.constant(rng.random((1, 16, 16, 1)), tf.float32)
report("ssim", tf.image.ssim(big, big * 0.9, max_val=1.0), atol=1e-3)
dy, dx = tf.image.image_gradients(big)
report("gradients", [float(tf.reduce_sum(dy)), float(tf.reduce_sum(dx))], atol=1e-3)
report("sobel", tf.image.sobel_edges(big)[0, 4, 4, 0])
report("patches", list(tf.image.extract_patches(big, [1, 4, 4, 1], [1, 4, 4, 1], [1, 1, 1, 1], "VALID").shape))
report("crops", tf.image.crop_and_resize(big, [[0.0, 0.0, 0.5, 0.5]], [0], [4, 4])[0, :, :, 0], atol=1e-4)
report("nms", tf.image.non_max_suppression([[0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3]], [0.9, 0.8, 0.7], 3))
report("boxes", float(tf.reduce_sum(tf.image.draw_bounding_boxes(big, [[[0.1, 0.1, 0.5, 0.5]]], [[1.0]]))), atol=1e-2)
encoded = tf.io.encode_png(image)
report("png", bool(tf.reduce_all(tf.io.decode_png(encoded) == image)))
tf.io.write_file("image.png", encoded)
loaded = tf.image.decode_image(tf.io.read_file("image.png"), channels=3, expand_animations=False)
report("decoded", loaded.shape.as_list())
jpeg = tf.io.decode_jpeg(tf.io.encode_jpeg(image, quality=95), channels=3)
report("jpeg", jpeg.shape.as_list())
picture = keras.utils.load_img("image.png", target_size=(6, 6))
report("loaded", keras.utils.img_to_array(picture)[0, 0].shape)


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, max_delta=0.1)
    image = tf.image.random_contrast(image, 0.9, 1.1)
    image = tf.image.random_saturation(image, 0.9, 1.1)
    image = tf.image.random_hue(image, 0.05)
    image = tf.image.random_crop(image, size=[8, 8, 3])
    return tf.clip_by_value(image, 0.0, 1.0), label


images = rng.random((16, 10, 12, 3)).astype("float32")
labels = rng.integers(0, 2, 16)
augmented = tf.data.Dataset.from_tensor_slices((images, labels)).map(augment).batch(8)
batch, _ = next(iter(augmented))
report("augmented", [list(batch.shape), [0 if float(tf.reduce_min(batch)) >= 0 else 1]])
data_augmentation = keras.Sequential([layers.RandomFlip("horizontal_and_vertical"), layers.RandomRotation(0.2),
                                      layers.RandomZoom(0.1), layers.RandomContrast(0.1),
                                      layers.RandomTranslation(0.1, 0.1)])
resize_and_rescale = keras.Sequential([layers.Resizing(8, 8), layers.Rescaling(1.0 / 255)])
report("rescaled", resize_and_rescale(images[:1] * 255)[0, 0, 0], atol=1e-4)
report("shape", data_augmentation(images, training=True).shape.as_list())
report("unchanged", bool(np.allclose(data_augmentation(images, training=False), images)))
pipeline = tf.data.Dataset.from_tensor_slices((images, labels)).batch(4).map(
    lambda x, y: (data_augmentation(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
report("pipeline", [x.shape.as_list() for x, _ in pipeline][0])
report("center", layers.CenterCrop(4, 4)(images[:1])[0, 0, 0])

inputs = keras.Input((10, 12, 3))
x = layers.Conv2D(4, 3, activation="relu", name="conv1")(inputs)
x = layers.MaxPooling2D()(x)
x = layers.Conv2D(6, 3, activation="relu", name="last_conv")(x)
x = layers.GlobalMaxPooling2D()(x)
model = same_weights(keras.Model(inputs, layers.Dense(3)(x)))


def make_gradcam_heatmap(img_array, model, last_conv_layer_name, pred_index=None):
    grad_model = keras.models.Model(model.inputs, [model.get_layer(last_conv_layer_name).output, model.output])
    with tf.GradientTape() as tape:
        last_conv_layer_output, preds = grad_model(img_array)
        if pred_index is None:
            pred_index = tf.argmax(preds[0])
        class_channel = preds[:, pred_index]
    grads = tape.gradient(class_channel, last_conv_layer_output)
    pooled_grads = tf.reduce_mean(grads, axis=(0, 1, 2))
    last_conv_layer_output = last_conv_layer_output[0]
    heatmap = last_conv_layer_output @ pooled_grads[..., tf.newaxis]
    heatmap = tf.squeeze(heatmap)
    heatmap = tf.maximum(heatmap, 0) / (tf.math.reduce_max(heatmap) + 1e-8)
    return heatmap.numpy()


report("heatmap", make_gradcam_heatmap(images[:1], model, "last_conv"), atol=1e-4)
activations = keras.Model(model.input, [layer.output for layer in model.layers[1:4]]).predict(images[:2], verbose=0)
report("activations", [a.shape for a in activations][0])
filters, biases = model.get_layer("conv1").get_weights()
f_min, f_max = filters.min(), filters.max()
report("filters", ((filters - f_min) / (f_max - f_min))[0, 0])
noise = tf.Variable(tf.ones((1, 10, 12, 3)) * 0.5)
for _ in range(3):
    with tf.GradientTape() as tape:
        activation = tf.reduce_mean(model(noise)[:, 0])
    noise.assign_add(tf.math.l2_normalize(tape.gradient(activation, noise)) * 10.0)
report("dream", noise[0, 4, 4], atol=1e-3)
