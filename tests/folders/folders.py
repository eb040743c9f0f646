#!/usr/bin/env python3
"""Folders of images as Keras's image_dataset_from_directory reads them, and as Plimsoll does.

    folders.py make REFERENCE            writes the folders, cases.txt, and what Keras reads
    folders.py judge REFERENCE OURS      compares with what tests/programs/read_folder wrote
"""

import os
import pathlib
import sys
from dataclasses import dataclass, field

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np

import cases

NEAR = 1e-4  # of 255, where both sides resized the same pixels
AREA_NEAR = 4e-3  # by area; weights are rounded, and either side is that far from the exact mean
FAR_SHARE = 1e-3  # of the pixels of JPEG files, which may be more than one level apart


def limit_of(name):
    """How far apart numbers of the same pixels may be."""
    if "_decoded" in name:
        return 0
    return AREA_NEAR if "area" in name else NEAR


def options_of(case):
    return dict(
        label_mode=case.label_mode,
        color_mode=case.color_mode,
        class_names=case.classes.split("/") if case.classes else None,
        batch_size=None,
        image_size=(case.height, case.width),
        interpolation=case.interpolation,
        crop_to_aspect_ratio=bool(case.crop),
        shuffle=case.seed >= 0,
        seed=case.seed if case.seed >= 0 else None,
        verbose=False,
    )


def keras_parts(case, folder):
    """The data sets by their parts; of the shuffled training part only the files have an order that stays."""
    from keras.utils import image_dataset_from_directory

    if not case.split:
        return {"all": image_dataset_from_directory(folder, **options_of(case))}
    options = dict(options_of(case), validation_split=case.split)
    both = image_dataset_from_directory(folder, subset="both", **options)
    for subset, one in zip(("training", "validation"), both):
        alone = image_dataset_from_directory(folder, subset=subset, **options)
        assert alone.file_paths == one.file_paths, f"{case.name}: Keras's parts differ by how they are asked for"
    return dict(zip(("train", "validation"), both))


def relative(paths, folder):
    return [os.path.relpath(path, folder) for path in paths]


def make(reference):
    import pictures

    pictures.write_all(reference)
    chosen = list(cases.cases())
    (reference / "cases.txt").write_text("".join(case.line() + "\n" for case in chosen))
    for case in chosen:
        folder = reference / case.folder
        for part, data in keras_parts(case, folder).items():
            into = reference / f"{case.name}.{part}"
            into.with_name(into.name + ".names").write_text("\n".join(relative(data.file_paths, folder)) + "\n")
            into.with_name(into.name + ".classes").write_text("\n".join(data.class_names) + "\n")
            if part != "train" or case.seed < 0:
                images, labels = zip(*((x.numpy(), y.numpy()) for x, y in data))
                np.savez(into.with_name(into.name + ".npz"), x=np.stack(images), y=np.stack(labels))


@dataclass
class Judge:
    reference: pathlib.Path
    ours: pathlib.Path
    compared: int = 0
    wrong: list = field(default_factory=list)
    jpeg_values: int = 0
    jpeg_equal: int = 0

    def check(self, name, is_right, what):
        if not is_right:
            self.wrong.append(f"{name}: {what}")

    def part(self, path):
        name = path.name.removesuffix(".names")
        for ending in ("names", "classes"):
            expected, found = ((root / f"{name}.{ending}").read_text().splitlines() for root in (self.reference, self.ours))
            self.check(name, expected == found, f"{ending}: expected {expected[:3]}…, found {found[:3]}… of {len(found)}")
        self.compared += 1
        if not (self.reference / f"{name}.npz").exists():
            return
        expected, found = (np.load(root / f"{name}.npz") for root in (self.reference, self.ours))
        self.labels(name, expected["y"], found["y"])
        self.pixels(name, expected["x"], found["x"], path.read_text().splitlines())

    def labels(self, name, expected, found):
        is_equal = expected.dtype == found.dtype and np.array_equal(expected, found)
        self.check(name, is_equal, f"labels: expected {expected.dtype} {expected.shape}, found {found.dtype} {found.shape}")

    def pixels(self, name, expected, found, files):
        # Keras leaves bytes where it takes the nearest pixel.
        if expected.shape != found.shape or found.dtype != np.float32:
            self.check(name, False, f"images: expected {expected.shape} floats, found {found.dtype} {found.shape}")
            return
        limit = limit_of(name)
        apart = np.abs(expected.astype(float) - found)
        is_jpeg = np.array([".jpeg_" in file for file in files])
        for file, one in zip(np.array(files)[~is_jpeg], apart[~is_jpeg]):
            self.check(name, one.max() <= limit, f"{file}: {one.max():.3g} apart, at most {limit} is allowed")
        if is_jpeg.any():
            self.jpeg(name, apart[is_jpeg], limit)

    def jpeg(self, name, apart, limit):
        far = np.mean(apart > 1 + limit)
        self.check(name, far <= FAR_SHARE, f"{far:.2%} of the JPEG values are more than a level apart")
        self.jpeg_values += apart.size
        self.jpeg_equal += np.count_nonzero(apart <= limit)


def judge(reference, ours):
    verdict = Judge(reference, ours)
    for path in sorted(reference.glob("*.names")):
        verdict.part(path)
    for line in verdict.wrong[:40]:
        print(line)
    print(
        f"{verdict.compared} parts of {len(list(cases.cases()))} cases compared with Keras, {len(verdict.wrong)} differences;"
        f" {verdict.jpeg_equal / max(1, verdict.jpeg_values):.4%} of the JPEG values are as near as those of other files"
    )
    return 1 if verdict.wrong or verdict.compared == 0 else 0


if __name__ == "__main__":
    command, *folders = sys.argv[1:]
    folders = [pathlib.Path(folder) for folder in folders]
    sys.exit(make(*folders) if command == "make" else judge(*folders))
