"""What is asked of both sides. A case is a line of cases.txt, which tests/programs/read_folder reads:
its name and KEY=VALUE, between tabs."""

from dataclasses import asdict, dataclass

import pictures


@dataclass(frozen=True)
class Case:
    name: str
    folder: str
    height: int = 24
    width: int = 32
    label_mode: str = "int"
    color_mode: str = "rgb"
    interpolation: str = "bilinear"
    crop: int = 0
    classes: str = ""  # between /; empty: all
    split: float = 0  # 0: none
    seed: int = -1  # -1: not shuffled

    def line(self):
        return "\t".join([self.name, *(f"{key}={value}" for key, value in asdict(self).items() if key != "name")])


def cases():
    height, width = pictures.SAME_SIZE
    for mode in pictures.OF_MODE:
        yield Case(f"{mode}_decoded", f"{mode}_same_size", height, width, color_mode=mode)
        yield Case(mode, mode, color_mode=mode)
    for interpolation in ("nearest", "area"):
        yield Case(interpolation, "rgb", interpolation=interpolation)
        yield Case(f"{interpolation}_larger", "rgb", 70, 90, interpolation=interpolation)
    yield Case("larger", "rgb", 70, 90)
    for interpolation in ("bilinear", "nearest", "area"):
        yield Case(f"crop_{interpolation}", "rgb", interpolation=interpolation, crop=1)
    yield Case("categorical", "grayscale", 4, 5, "categorical", "grayscale")
    yield Case("binary", "grayscale", 4, 5, "binary", "grayscale", classes="Zebra/apple")
    yield Case("two_classes", "grayscale", 4, 5, "int", "grayscale", classes="zebra 2/Äpfel")
    for split in (0.2, 0.29, 0.5):
        yield Case(f"split_{split}", "rgb", 4, 5, split=split)
        for seed in (0, 123, 4294967295):
            yield Case(f"split_{split}_seed_{seed}", "rgb", 4, 5, split=split, seed=seed)
