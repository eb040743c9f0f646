"""Image files and arrays, and batches of randomly changed images."""

from plimsoll._missing import lazy

lazy(
    globals(),
    {
        "plimsoll.keras.utils.images": ["array_to_img", "img_to_array", "load_img", "save_img"],
        "plimsoll.keras.utils.image_cut": ["smart_resize"],
        "transforms": [
            "apply_affine_transform",
            "apply_brightness_shift",
            "apply_channel_shift",
            "random_brightness",
            "random_channel_shift",
            "random_rotation",
            "random_shear",
            "random_shift",
            "random_zoom",
        ],
        "iterators": ["DirectoryIterator", "Iterator", "NumpyArrayIterator"],
        "data_frame_iterator": ["DataFrameIterator"],
        "image_data_generator": ["ImageDataGenerator"],
    },
)
