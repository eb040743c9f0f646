"""Images cut, padded and turned."""
import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._on_values import integers


def _image(image, who: str):
    image = _core.constant(image)
    if image.ndim not in (3, 4):
        raise ValueError(f"tf.image.{who}: 'image' must have either 3 or 4 dimensions, found shape "
                         f"{image.shape}")
    return image


def flip_left_right(image):
    return _core.flip(_image(image, "flip_left_right"), [-2])


def flip_up_down(image):
    return _core.flip(_image(image, "flip_up_down"), [-3])


def transpose(image, name=None):
    """Rows and columns exchanged."""
    image = _image(image, "transpose")
    return _core.transpose(image, [1, 0, 2] if image.ndim == 3 else [0, 2, 1, 3])


def rot90(image, k=1, name=None):
    """Turned counter-clockwise k times."""
    k = int(k) % 4
    image = _image(image, "rot90")
    if k == 2:
        return _core.flip(image, [-3, -2])
    if not k:
        return image
    return _core.flip(transpose(image), [-3]) if k == 1 else transpose(_core.flip(image, [-3]))


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    image = _image(image, "crop_to_bounding_box")
    top, left, height, width = map(int, (offset_height, offset_width, target_height, target_width))
    if top < 0 or left < 0:
        raise ValueError("offset_height and offset_width must be >= 0.")
    if top + height > image.shape[-3] or left + width > image.shape[-2]:
        raise ValueError(f"the part ({height}, {width}) at ({top}, {left}) is not inside of an image of "
                         f"shape {image.shape}")
    return image[..., top:top + height, left:left + width, :]


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """The image at a place among zeros."""
    image = _image(image, "pad_to_bounding_box")
    top, left, height, width = map(int, (offset_height, offset_width, target_height, target_width))
    below, right = height - top - image.shape[-3], width - left - image.shape[-2]
    if min(top, left, below, right) < 0:
        raise ValueError(f"an image of shape {image.shape} at ({top}, {left}) does not fit into "
                         f"({height}, {width})")
    pairs = [(top, below), (left, right), (0, 0)]
    return _core.pad(image, pairs if image.ndim == 3 else [(0, 0), *pairs])


def central_crop(image, central_fraction):
    """The middle of the image, a fraction of each side."""
    image, fraction = _image(image, "central_crop"), float(central_fraction)
    if not 0 < fraction <= 1:
        raise ValueError("central_fraction must be within (0, 1]")
    if fraction == 1:
        return image
    high, wide = image.shape[-3], image.shape[-2]
    top, left = int((high - high * fraction) / 2), int((wide - wide * fraction) / 2)
    return crop_to_bounding_box(image, top, left, high - 2 * top, wide - 2 * left)


def _same_padding(size: int, kernel: int, stride: int) -> tuple:
    total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


def extract_patches(images, sizes, strides, rates, padding, name=None):
    """The windows of each image, flattened into the channels."""
    images = _core.constant(images)
    (high, wide), (down, right), (rate_y, rate_x) = (integers(each)[1:3]
                                                     for each in (sizes, strides, rates))
    spans = (high - 1) * rate_y + 1, (wide - 1) * rate_x + 1
    if padding.upper() == "SAME":
        images = _core.pad(images, [(0, 0), _same_padding(images.shape[1], spans[0], down),
                                    _same_padding(images.shape[2], spans[1], right), (0, 0)])
    rows = (images.shape[1] - spans[0]) // down + 1
    columns = (images.shape[2] - spans[1]) // right + 1
    parts = [images[:, y * rate_y:y * rate_y + (rows - 1) * down + 1:down,
                    x * rate_x:x * rate_x + (columns - 1) * right + 1:right, :]
             for y in range(high) for x in range(wide)]
    return _core.concatenate(parts, -1)


def image_gradients(image):
    """The differences between neighbours, downwards and to the right; 0 at the ends."""
    image = _core.constant(image)
    down = image[:, 1:, :, :] - image[:, :-1, :, :]
    right = image[:, :, 1:, :] - image[:, :, :-1, :]
    return (_core.pad(down, [(0, 0), (0, 1), (0, 0), (0, 0)]),
            _core.pad(right, [(0, 0), (0, 0), (0, 1), (0, 0)]))


def sobel_edges(image):
    """Sobel's filters along both axes, in a last axis of 2."""
    image = _core.constant(image)
    channels = image.shape[-1]
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float32)
    kernels = np.tile(np.stack([down, down.T], -1)[:, :, None], (1, 1, 1, channels))
    padded = _core.operation("Pad", {"pad_width": [[0, 0], [1, 1], [1, 1], [0, 0]], "mode": "reflect"},
                             [image])
    found = _core.conv2d(padded, kernels, groups=channels)
    return _core.reshape(found, (*found.shape[:-1], channels, 2))
