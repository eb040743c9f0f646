#!/usr/bin/env python3
"""PyTorch's DataLoader on a folder of pictures, in turns with others (bench/peers/step_protocol.py): a step is a batch.

    torch_images.py FOLDER [--variant A+B]

As it comes: torchvision's ImageFolder (Pillow) and its transforms. Variants: tensor (torchvision's own JPEG decoder, and
transforms of tensors), deep (8 batches prefetched by each worker), malloc (glibc keeps freed memory mapped).
"""

import time

import protocol

FOLDER, VARIANT = protocol.start({"tensor", "deep"})

begin = time.perf_counter()
import torch
from torch.utils.data import DataLoader, Sampler
from torchvision.datasets import ImageFolder
from torchvision.io import ImageReadMode, decode_jpeg, read_file
from torchvision.transforms import v2

IMPORT_SECONDS = time.perf_counter() - begin


class Endless(Sampler):
    """One shuffled epoch after another, so that the workers never begin anew."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        while True:
            yield from torch.randperm(self.size).tolist()


def loader_of_tensors(path):
    return decode_jpeg(read_file(path), mode=ImageReadMode.RGB)


def dataset():
    size = list(protocol.SIZE)
    if "tensor" in VARIANT:
        steps = [v2.Resize(size, antialias=False), v2.RandomHorizontalFlip(), v2.ToDtype(torch.float32, scale=True)]
        return ImageFolder(FOLDER, v2.Compose(steps), loader=loader_of_tensors)
    steps = [v2.Resize(size), v2.RandomHorizontalFlip(), v2.PILToTensor(), v2.ToDtype(torch.float32, scale=True)]
    return ImageFolder(FOLDER, v2.Compose(steps))


def build_step():
    torch.set_num_threads(1)
    pictures = dataset()
    batches = iter(
        DataLoader(
            pictures,
            batch_size=protocol.BATCH,
            sampler=Endless(len(pictures)),
            num_workers=protocol.WORKERS,
            prefetch_factor=8 if "deep" in VARIANT else 2,
            persistent_workers=True,
        )
    )

    def step():
        x, _ = next(batches)
        assert x.shape == (protocol.BATCH, 3, *protocol.SIZE), x.shape

    return step


protocol.serve(build_step, IMPORT_SECONDS)
