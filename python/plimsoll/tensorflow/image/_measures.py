"""How alike images are, and which boxes are kept."""
import math

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._on_values import value, values
from plimsoll.tensorflow.image._color import convert_image_dtype


def psnr(a, b, max_val, name=None):
    """The ratio of signal to noise of each image, in decibels."""
    a, b, top = _same_range(a, b, max_val)
    error = _core.mean(_core.square(a - b), [-3, -2, -1])
    return 20.0 * math.log10(top) - _core.log(error) * (10.0 / math.log(10.0))


def _same_range(a, b, max_val):
    """Both as fractions, and the largest value in their scale."""
    dtype = _core.constant(a).dtype
    top = float(max_val) / float(dtype.max) if dtype.is_integer else float(max_val)
    return convert_image_dtype(a, "float32"), convert_image_dtype(b, "float32"), top


def _window(size: int, sigma: float, channels: int):
    places = np.arange(size) - (size - 1) / 2
    row = np.exp(-0.5 * (places / sigma) ** 2)
    kernel = np.outer(row, row) / row.sum() ** 2
    return np.tile(kernel[:, :, None, None], (1, 1, 1, channels)).astype(np.float32)


def _parts(a, b, top, filter_size, filter_sigma, k1, k2):
    """The parts of SSIM by channel: luminance times contrast, and contrast."""
    channels = a.shape[-1]
    kernel = _window(int(filter_size), float(filter_sigma), channels)

    def smooth(x):
        return _core.conv2d(x, kernel, groups=channels)

    c1, c2 = (k1 * top) ** 2, (k2 * top) ** 2
    mean_a, mean_b = smooth(a), smooth(b)
    product, squares = mean_a * mean_b, _core.square(mean_a) + _core.square(mean_b)
    luminance = (2.0 * product + c1) / (squares + c1)
    contrast = (2.0 * (smooth(a * b) - product) + c2) / (
        smooth(_core.square(a) + _core.square(b)) - squares + c2)
    return _core.mean(luminance * contrast, [-3, -2]), _core.mean(contrast, [-3, -2])


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03,
         return_index_map=False):
    """The structural similarity of each pair of images."""
    if return_index_map:
        raise NotImplementedError("tf.image.ssim: return_index_map is not here")
    a, b, top = _same_range(img1, img2, max_val)
    if a.ndim == 3:
        a, b = _core.expand_dims(a, 0), _core.expand_dims(b, 0)
        return _core.squeeze(ssim(a, b, top, filter_size, filter_sigma, k1, k2), 0)
    return _core.mean(_parts(a, b, top, filter_size, filter_sigma, k1, k2)[0], [-1])


def ssim_multiscale(*args, **kwargs):
    raise NotImplementedError("tf.image.ssim_multiscale is not here; there is tf.image.ssim")


def total_variation(images, name=None):
    """The sum of the differences between neighbours."""
    x = _core.constant(images)
    down = _core.abs(x[..., 1:, :, :] - x[..., :-1, :, :])
    right = _core.abs(x[..., :, 1:, :] - x[..., :, :-1, :])
    return _core.sum(down, [-3, -2, -1]) + _core.sum(right, [-3, -2, -1])


def _overlap(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The intersection over the union of a box with others."""
    def area(b):
        return np.abs((b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1]))

    def ends(b):
        return np.minimum(b[..., :2], b[..., 2:]), np.maximum(b[..., :2], b[..., 2:])

    (low, high), (lows, highs) = ends(box), ends(others)
    common = np.prod(np.maximum(np.minimum(high, highs) - np.maximum(low, lows), 0), -1)
    union = area(box) + area(others) - common
    return np.where(union > 0, common / np.where(union > 0, union, 1), 0)


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5,
                        score_threshold=float("-inf"), name=None):
    """The indices of the best boxes that overlap no better one too much."""
    boxes, scores = values("tf.image.non_max_suppression", boxes, scores)
    kept: list = []
    for i in np.argsort(-scores, kind="stable"):
        if len(kept) >= int(max_output_size) or scores[i] <= score_threshold:
            break
        if not kept or (_overlap(boxes[i], boxes[kept]) <= float(iou_threshold)).all():
            kept.append(int(i))
    return _core.constant(np.array(kept, np.int32))


def non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold=0.5,
                                    score_threshold=float("-inf"), soft_nms_sigma=0.0, name=None):
    if soft_nms_sigma:
        raise NotImplementedError("tf.image.non_max_suppression_with_scores: soft_nms_sigma is not "
                                  "here")
    chosen = non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold)
    return chosen, _core.take(scores, chosen, 0)


def draw_bounding_boxes(images, boxes, colors, name=None):
    """The images with frames, given as shares of their sizes."""
    found = np.array(value("tf.image.draw_bounding_boxes", images), np.float32)
    high, wide = found.shape[1:3]
    shades = np.asarray(colors, np.float32) if colors is not None else np.ones((1, found.shape[-1]))
    for image, frames in zip(found, np.asarray(boxes)):
        for i, (y1, x1, y2, x2) in enumerate(frames):
            top, bottom = (int(np.clip(y * (high - 1), 0, high - 1)) for y in (y1, y2))
            left, right = (int(np.clip(x * (wide - 1), 0, wide - 1)) for x in (x1, x2))
            shade = shades[i % len(shades)][:found.shape[-1]]
            image[[top, bottom], left:right + 1] = shade
            image[top:bottom + 1, [left, right]] = shade
    return _core.constant(found)
