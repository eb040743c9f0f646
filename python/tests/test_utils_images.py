"""Image files and arrays, with Pillow and without."""
import io

import numpy as np
import pytest

from plimsoll.keras import utils
from plimsoll.keras.preprocessing.image import smart_resize
from plimsoll.keras.utils import image_scaling, images, resampling
from plimsoll.keras.utils.picture import Picture

RANDOM = np.random.RandomState(0)
PIXELS = RANDOM.randint(0, 256, (9, 13, 3)).astype("uint8")


def has_pillow():
    return images._pillow() is not None


@pytest.fixture(params=["with Pillow", "without Pillow"])
def pillow(request, monkeypatch):
    if request.param == "without Pillow":
        monkeypatch.setattr(images, "_pillow", lambda: None)
    elif not has_pillow():
        pytest.skip("Pillow is not installed")


@pytest.mark.parametrize("ending", ["png", "bmp"])
def test_an_image_survives_its_file(pillow, tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    utils.save_img(path, PIXELS, scale=False)
    array = utils.img_to_array(utils.load_img(path))
    assert array.dtype == np.float32 and np.array_equal(array, PIXELS)
    again = utils.load_img(io.BytesIO(path.read_bytes()))
    assert again.size == (13, 9) and again.mode == "RGB"


@pytest.mark.parametrize("color_mode, shape", [
    ("rgb", (9, 13, 3)), ("rgba", (9, 13, 4)), ("grayscale", (9, 13, 1)),
])
def test_colours_are_converted(pillow, tmp_path, color_mode, shape):
    utils.save_img(tmp_path / "a.png", PIXELS, scale=False)
    image = utils.load_img(str(tmp_path / "a.png"), color_mode=color_mode)
    array = utils.img_to_array(image)
    assert array.shape == shape
    if color_mode == "grayscale":
        luma = PIXELS @ np.array([0.299, 0.587, 0.114])
        assert np.abs(array[:, :, 0] - luma).max() <= 1


@pytest.mark.parametrize("interpolation", resampling.INTERPOLATIONS)
def test_images_are_resized(pillow, tmp_path, interpolation):
    utils.save_img(tmp_path / "a.png", PIXELS, scale=False)
    image = utils.load_img(tmp_path / "a.png", target_size=(4, 5), interpolation=interpolation)
    assert utils.img_to_array(image).shape == (4, 5, 3)
    kept = utils.load_img(tmp_path / "a.png", target_size=(6, 6), keep_aspect_ratio=True)
    middle = PIXELS[:, 2:11]
    assert np.array_equal(np.asarray(kept), resampling.resize(middle, (6, 6), "nearest"))


@pytest.mark.parametrize("shape", [(17, 23, 3), (17, 23), (9, 31, 3)])
@pytest.mark.parametrize("size", [(8, 8), (40, 50), (17, 60), (5, 23)])
def test_resampling_is_that_of_pillow(shape, size):
    image_module = pytest.importorskip("PIL.Image")
    pixels = RANDOM.randint(0, 256, shape).astype("uint8")
    for name in resampling.INTERPOLATIONS:
        method = getattr(image_module.Resampling, name.upper())
        real = image_module.fromarray(pixels).resize((size[1], size[0]), method)
        ours = resampling.resize(pixels, size, name).astype(int)
        assert np.abs(ours - np.asarray(real)).max() <= 1, name


def test_pictures_are_read_by_pillow():
    image_module = pytest.importorskip("PIL.Image")
    with_alpha = np.concatenate([PIXELS, PIXELS[:, :, :1]], axis=2)
    gray = PIXELS[:, :, 0]
    for pixels, endings in ((PIXELS, "png bmp ppm"), (gray, "png pgm"), (with_alpha, "png")):
        for ending in endings.split():
            file = io.BytesIO()
            Picture(pixels).save(file, format=ending)
            real = image_module.open(io.BytesIO(file.getvalue()))
            assert np.array_equal(np.asarray(real), pixels), ending


def test_arrays_become_images(pillow):
    values = np.linspace(-1, 1, 27).reshape(3, 3, 3)
    image = utils.array_to_img(values)
    assert np.asarray(image).min() == 0 and np.asarray(image).max() == 255
    assert utils.array_to_img(values.transpose(2, 0, 1), "channels_first").size == (3, 3)
    assert utils.array_to_img(np.zeros((2, 3, 1))).mode == "L"
    with pytest.raises(ValueError, match="rank 3"):
        utils.array_to_img(values[0])
    with pytest.raises(ValueError, match="channel number: 2"):
        utils.array_to_img(np.zeros((2, 2, 2)))
    assert utils.img_to_array(image, "channels_first").shape == (3, 3, 3)


def test_what_cannot_be_an_image_is_said(pillow, tmp_path):
    utils.save_img(tmp_path / "a.png", PIXELS)
    with pytest.raises(ValueError, match="color_mode"):
        utils.load_img(tmp_path / "a.png", color_mode="cmyk")
    with pytest.raises(ValueError, match="cubist"):
        utils.load_img(tmp_path / "a.png", target_size=(2, 2), interpolation="cubist")
    with pytest.raises(TypeError, match="path-like"):
        utils.load_img(3)
    with pytest.raises(OSError):
        utils.load_img(tmp_path / "nothing.png")


def test_a_jpeg_is_written_without_pillow_in_the_quality_that_is_asked_for(monkeypatch, tmp_path):
    monkeypatch.setattr(images, "_pillow", lambda: None)
    y, x = np.mgrid[0:32, 0:48]
    smooth = np.stack([x * 4, y * 6, x + y], axis=-1).astype("float32")
    distances = {}
    for quality in (10, 95):
        utils.save_img(tmp_path / "a.jpg", smooth, scale=False, quality=quality)
        distances[quality] = np.abs(utils.img_to_array(utils.load_img(tmp_path / "a.jpg")) - smooth).mean()
    assert distances[95] < 3 < distances[10]


def test_a_file_of_an_unknown_kind_is_not_written_without_pillow(monkeypatch, tmp_path):
    monkeypatch.setattr(images, "_pillow", lambda: None)
    with pytest.raises(ValueError, match="install Pillow"):
        utils.save_img(tmp_path / "a.tiff", PIXELS)
    assert not (tmp_path / "a.tiff").exists()


def test_grey_levels_are_rounded_as_pillow_does(monkeypatch, tmp_path):
    monkeypatch.setattr(images, "_pillow", lambda: None)
    colours = np.array([[[3, 15, 6], [3, 30, 15]]], dtype="float32")
    utils.save_img(tmp_path / "a.png", colours, scale=False)
    grey = utils.img_to_array(utils.load_img(tmp_path / "a.png", color_mode="grayscale"))
    luma = colours @ np.array([0.299, 0.587, 0.114])
    assert grey.ravel().tolist() == np.floor(luma + 0.5).ravel().tolist()


def test_a_damaged_file_is_named_without_pillow(monkeypatch, tmp_path):
    monkeypatch.setattr(images, "_pillow", lambda: None)
    (tmp_path / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    with pytest.raises(ValueError, match="bad.png"):
        utils.load_img(tmp_path / "bad.png")


def test_smart_resize_takes_the_middle():
    result = smart_resize(PIXELS, (4, 4))
    assert isinstance(result, np.ndarray) and result.shape == (4, 4, 3)
    expected = image_scaling.scaled(PIXELS, (4, 4), "bilinear", "crop")
    assert np.allclose(result, expected, atol=1e-3)
    assert smart_resize(PIXELS[None], (4, 4)).shape == (1, 4, 4, 3)
    with pytest.raises(ValueError, match="rank"):
        smart_resize(PIXELS[0], (4, 4))


def test_padding_keeps_proportions():
    result = image_scaling.scaled(np.full((10, 20, 3), 9, "uint8"), (8, 8), "bilinear", "pad")
    assert (result[2:6] == 9).all() and (result[:2] == 0).all() and (result[6:] == 0).all()
