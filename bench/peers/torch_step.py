#!/usr/bin/env python3
"""A training step of PyTorch, for interleave.py: torch_step.py CASE [--variant A+B]."""

import time

import step_protocol

CASE, VARIANT = step_protocol.start({"channels_last", "foreach", "fused", "compile", "autotune"})

begin = time.perf_counter()
import torch
from torch import nn

IMPORT_SECONDS = time.perf_counter() - begin


class ChannelsLastFlatten(nn.Module):
    """Flattens in the order that the memory already has: no copy."""

    def forward(self, x):
        return x.permute(0, 2, 3, 1).flatten(1)


class LastOutput(nn.Module):
    """An LSTM's last output, in two classes."""

    def __init__(self, features, units):
        super().__init__()
        self.lstm = nn.LSTM(features, units, batch_first=True)
        self.dense = nn.Linear(units, 2)

    def forward(self, x):
        return self.dense(self.lstm(x)[0][:, -1])


def make_model():
    if CASE in step_protocol.LSTMS:
        return LastOutput(*step_protocol.LSTMS[CASE][2:])
    if CASE == "mlp":
        return nn.Sequential(
            nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)
        )
    flatten = ChannelsLastFlatten() if "channels_last" in VARIANT else nn.Flatten()
    return nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.MaxPool2d(2), flatten, nn.Linear(111 * 111 * 32, 10))


def make_input(images):
    x = torch.from_numpy(images)
    if CASE != "cnn":
        return x
    x = x.permute(0, 3, 1, 2)
    return x.contiguous(memory_format=torch.channels_last if "channels_last" in VARIANT else torch.contiguous_format)


def build_step():
    torch.set_num_threads(step_protocol.THREADS)
    torch.manual_seed(0)
    images, labels = step_protocol.make_data(CASE)
    x, y = make_input(images), torch.from_numpy(labels)
    model = make_model()
    if "channels_last" in VARIANT:
        model = model.to(memory_format=torch.channels_last)
    loss_function = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(
        model.parameters(),
        foreach=True if "foreach" in VARIANT else None,
        fused=True if "fused" in VARIANT else None,
    )

    def forward(x, y):
        return loss_function(model(x), y)

    if VARIANT & {"compile", "autotune"}:
        forward = torch.compile(forward, mode="max-autotune" if "autotune" in VARIANT else None)

    def step():
        optimizer.zero_grad()
        loss = forward(x, y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


step_protocol.serve(build_step, IMPORT_SECONDS)
