"""Keras's older tools for images, sequences and texts, which many scripts still import."""

from plimsoll._missing import lazy

lazy(
    globals(),
    {
        "plimsoll.keras.utils": [
            "image_dataset_from_directory",
            "text_dataset_from_directory",
            "timeseries_dataset_from_array",
        ]
    },
    modules=["image", "sequence", "text"],
)
