#!/usr/bin/env python3
"""Trains a case in PyTorch, batch by batch, for limits.py: torch_peer.py CASE."""

import sys

import cases
import peer
import torch
from torch import nn

peer.say("imported")
NAME = sys.argv[1]
CASE = cases.CASES[NAME]


class ChannelsLastFlatten(nn.Module):
    """Flattens in the order that the memory already has: no copy."""

    def forward(self, x):
        return x.permute(0, 2, 3, 1).flatten(1)


def cnn():
    head = [ChannelsLastFlatten(), nn.Linear(111 * 111 * 32, CASE.classes)]
    return nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(inplace=True), nn.MaxPool2d(2), *head)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(CASE.shape[1], cases.LSTM_UNITS, batch_first=True)
        self.dense = nn.Linear(cases.LSTM_UNITS, CASE.classes)

    def forward(self, x):
        return self.dense(self.lstm(x)[0][:, -1])


def normalized(inputs, filters, size, stride=1, groups=1, bias=True):
    convolution = nn.Conv2d(inputs, filters, size, stride, padding=size // 2, groups=groups, bias=bias)
    return [convolution, nn.BatchNorm2d(filters)]


class Residual(nn.Module):
    def __init__(self, shortcut, branch, last):
        super().__init__()
        self.shortcut, self.branch, self.last = shortcut, nn.Sequential(*branch), last

    def forward(self, x):
        return self.last(self.branch(x) + self.shortcut(x))


def pooled_head(channels):
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, CASE.classes)]


def bottleneck(channels, filters, stride, is_first):
    shortcut = nn.Sequential(*normalized(channels, 4 * filters, 1, stride)) if is_first else nn.Identity()
    branch = [
        *normalized(channels, filters, 1, stride),
        nn.ReLU(inplace=True),
        *normalized(filters, filters, 3),
        nn.ReLU(inplace=True),
        *normalized(filters, 4 * filters, 1),
    ]
    return Residual(shortcut, branch, nn.ReLU(inplace=True))


def resnet50():
    modules = [*normalized(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, padding=1)]
    channels = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        filters = 64 << stage
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            modules.append(bottleneck(channels, filters, stride, block == 0))
            channels = 4 * filters
    return nn.Sequential(*modules, *pooled_head(channels))


def inverted(channels, expansion, filters, stride, is_first):
    wide = channels * expansion
    branch = []
    if expansion > 1:
        branch += [*normalized(channels, wide, 1, bias=False), nn.ReLU6(inplace=True)]
    branch += [*normalized(wide, wide, 3, stride, groups=wide, bias=False), nn.ReLU6(inplace=True)]
    branch += normalized(wide, filters, 1, bias=False)
    return nn.Sequential(*branch) if is_first else Residual(nn.Identity(), branch, nn.Identity())


def mobilenet_v2():
    modules = [*normalized(3, 32, 3, 2, bias=False), nn.ReLU6(inplace=True)]
    channels = 32
    stages = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for expansion, filters, blocks, stride in stages:
        for block in range(blocks):
            modules.append(inverted(channels, expansion, filters, stride if block == 0 else 1, block == 0))
            channels = filters
    modules += [*normalized(channels, 1280, 1, bias=False), nn.ReLU6(inplace=True)]
    return nn.Sequential(*modules, *pooled_head(1280))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(CASE.vocabulary, cases.WIDTH)
        block = nn.TransformerEncoderLayer(cases.WIDTH, cases.HEADS, cases.HIDDEN, dropout=0.0, batch_first=True)
        self.blocks = nn.TransformerEncoder(block, cases.LAYERS, enable_nested_tensor=False)
        self.dense = nn.Linear(cases.WIDTH, CASE.classes)

    def forward(self, words):
        return self.dense(self.blocks(self.embedding(words)).mean(1))


MODELS = {
    "cnn": cnn,
    "lstm": Lstm,
    "lstm_long": Lstm,
    "resnet50": resnet50,
    "mobilenet_v2": mobilenet_v2,
    "encoder": Encoder,
}


def make_batch():
    labels = torch.randint(CASE.classes, (CASE.batch,))
    if CASE.vocabulary:
        return torch.randint(CASE.vocabulary, (CASE.batch, *CASE.shape)), labels
    x = torch.rand(CASE.batch, *CASE.shape)
    return x.permute(0, 3, 1, 2) if len(CASE.shape) == 3 else x, labels  # images are channels_last


def main():
    torch.set_num_threads(cases.THREADS)
    torch.manual_seed(0)
    model = MODELS[NAME]().to(memory_format=torch.channels_last)
    loss_function = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)  # the others take more memory
    peer.say("built")

    def step(x, y):
        optimizer.zero_grad()
        loss = loss_function(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    peer.train(step, peer.Batches(CASE.steps, make_batch))


main()
