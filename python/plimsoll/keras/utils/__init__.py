"""What scripts need besides models: labels, files, images, folders of data, plots."""

from plimsoll._missing import lazy

lazy(
    globals(),
    {
        "plimsoll.keras.config": ["clear_session"],
        "plimsoll.keras.saving.objects": ["deserialize_keras_object", "serialize_keras_object"],
        "plimsoll.keras.saving.registration": [
            "CustomObjectScope",
            "custom_object_scope",
            "get_custom_objects",
            "get_registered_name",
            "get_registered_object",
            "register_keras_serializable",
        ],
        "feature_space": ["FeatureSpace"],
        "data_tuples": ["pack_x_y_sample_weight", "unpack_x_y_sample_weight"],
        "file_cache": ["get_file"],
        "image_dataset": ["image_dataset_from_directory"],
        "images": ["array_to_img", "img_to_array", "load_img", "save_img"],
        "messages": [
            "disable_interactive_logging",
            "enable_interactive_logging",
            "is_interactive_logging_enabled",
        ],
        "models": ["count_params", "get_source_inputs", "is_keras_tensor", "standardize_dtype"],
        "numerical": ["normalize", "to_categorical"],
        "padding": ["pad_sequences"],
        "model_plot": ["model_to_dot", "plot_model"],
        "progbar": ["Progbar"],
        "py_dataset": ["PyDataset", "Sequence"],
        "random_seed": ["set_random_seed"],
        "dataset_split": ["split_dataset"],
        "text_dataset": ["text_dataset_from_directory"],
        "timeseries_dataset": ["timeseries_dataset_from_array"],
    },
)
