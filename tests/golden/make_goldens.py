#!/usr/bin/env python3
"""Makes the golden files with real Keras 3, or checks them against it.

make_goldens.py [NAME...]          writes NAME.txt (all of them by default)
make_goldens.py --check [NAME...]  runs Keras again and compares, exit code 1 on difference
"""

import argparse
import importlib
import logging
import os
import pathlib
import sys

FAMILIES = {
    "layers": "layer_cases",
    "image_layers": "image_layer_cases",
    "image_transforms": "image_transform_cases",
    "losses": "loss_cases",
    "loss_configs": "loss_config_cases",
    "optimizers": "optimizer_cases",
    "optimizer_configs": "optimizer_config_cases",
    "schedules": "schedule_cases",
    "metrics": "metric_cases",
    "metric_configs": "metric_config_cases",
    "regularizers": "regularizer_cases",
    "initializers": "initializer_cases",
    "training": "training_cases",
    "fits": "fit_cases",
    "recurrent": "recurrent_cases",
    "callbacks": "callback_cases",
    "operations": "operation_cases",
    "attention": "attention_cases",
    "images": "image_cases",
    "image_files": "image_file_cases",
    "image_resizes": "image_resize_cases",
    "image_augmentations": "image_augmentation_cases",
    "random_images": "random_image_cases",
    "numpy_files": "numpy_file_cases",
    "record_files": "record_file_cases",
    "preprocessing": "preprocessing_cases",
}
TOLERANCE = 1e-6  # of a tensor's largest value
# Gradients are sums that cancel: those of Keras itself differ by 4e-6 between its own kernels, which it picks by the machine.
GRADIENT_TOLERANCE = 1e-5


def prepare_keras():
    # oneDNN picks its kernels, and with them the rounding, by the machine.
    os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
    os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"  # of its matrix products, which are used all the same
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    try:
        import keras
    except ImportError as error:
        sys.exit(f"make_goldens.py: Keras does not load ({error}); run it with the python of tests/peers/make_venv.sh")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    keras.utils.set_random_seed(1)


def fresh_cases(family):
    import keras

    keras.utils.clear_session()  # automatic names begin again
    return list(importlib.import_module(FAMILIES[family]).cases())


def tolerance_of(tensor):
    return GRADIENT_TOLERANCE if tensor.startswith(("dx", "dw.")) else TOLERANCE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="*", metavar="NAME", help=", ".join(FAMILIES))
    parser.add_argument("--check", action="store_true", help="compare instead of write")
    arguments = parser.parse_args()
    unknown = set(arguments.family) - FAMILIES.keys()
    if unknown:
        sys.exit(f"make_goldens.py: no golden is called '{min(unknown)}' (known: {', '.join(FAMILIES)})")

    prepare_keras()
    import golden_file

    folder = pathlib.Path(__file__).resolve().parent
    different = 0
    for family in arguments.family or FAMILIES:
        path = folder / f"{family}.txt"
        cases = fresh_cases(family)
        if not arguments.check:
            golden_file.write(path, cases)
            print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")
            continue
        found = list(golden_file.differences(path, cases, tolerance_of)) if path.exists() else [f"{path.name} is missing"]
        different += len(found)
        print("\n".join(found) if found else f"{path.name}: {len(cases)} cases agree with Keras")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
