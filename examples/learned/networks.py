#!/usr/bin/env python3
"""Buffers of random networks, as training data for learned backtracking: python3 networks.py FOLDER [--count=N] [--seed=S]

Six kinds of graph (cells as a search finds them, residual stages, encoder and decoder, dense blocks, stages that refine, random
graphs with long skips), in turn. An operator makes one tensor, which lives until its last reader; in every other network each
operator's weights live too, from when they are fetched, some operators ahead. Sizes are multiples of 16 bytes. The same seed
writes the same files everywhere: only random.Random.random() is asked, whose sequence Python keeps.
"""

import argparse
import math
import pathlib
import random


class Draw:
    """Choices made of random() alone."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def whole(self, low, high):
        return low + int(self.random() * (high - low + 1))

    def one(self, of):
        return of[self.whole(0, len(of) - 1)]

    def chance(self, share):
        return self.random() < share


class Network:
    def __init__(self):
        self.tensors = []  # [bytes, made by, last read by]
        self.weights = []  # bytes, by operator

    def op(self, reads, size, weights=0):
        at = len(self.weights)
        for tensor in reads:
            self.tensors[tensor][2] = at
        self.weights.append(weights)
        self.tensors.append([size, at, at])
        return len(self.tensors) - 1

    def conv(self, read, side, channels, before, kernel=3):
        return self.op([read], side * side * channels, kernel * kernel * before * channels)

    def buffers(self, ahead):
        rows = [(made, last + 1, size) for size, made, last in self.tensors]
        if ahead:
            rows += [(max(0, at - ahead), at + 1, size) for at, size in enumerate(self.weights) if size]
        return [(lower, upper, max(16, math.ceil(size / 16) * 16)) for lower, upper, size in rows]


def cells(draw, net):
    side, channels, steps = draw.one([24, 32, 48]), draw.one([10, 16, 24]), draw.whole(3, 5)
    wiring = [[(draw.whole(0, k + 1), draw.whole(0, 2)) for _ in range(2)] for k in range(steps)]
    older = newer = net.conv(net.op([], side * side * 3), side, channels, 3)
    widths = [channels, channels]
    count = draw.one([5, 7, 10])
    for cell in range(count):
        if cell and cell % (count // 3 + 1) == 0:
            side, channels = max(4, side // 2), channels * 2
        states = [net.conv(older, side, channels, widths[0], 1), net.conv(newer, side, channels, widths[1], 1)]
        for pair in wiring:
            made = []
            for source, kind in pair:
                tensor = states[source]
                if kind:
                    tensor = net.op([tensor], side * side * channels, 9 * channels * (channels if kind == 1 else 1))
                made.append(tensor)
            states.append(net.op(made, side * side * channels))
        older, newer = newer, net.op(states[2:], side * side * channels * steps)
        widths = [widths[1], channels * steps]


def residual(draw, net):
    side, channels = draw.one([28, 40, 64]), draw.one([16, 24, 48])
    last, before, taps = net.conv(net.op([], side * side * 3), side, channels, 3), channels, []
    for stage in range(4):
        if stage:
            side, channels = max(4, side // 2), channels * 2
        for block in range(draw.whole(2, 4)):
            inner = net.conv(net.conv(last, side, channels, before, 1), side, channels, channels)
            skip = last if block else net.conv(last, side, 4 * channels, before, 1)
            last = net.op([net.conv(inner, side, 4 * channels, channels, 1), skip], side * side * 4 * channels)
            before = 4 * channels
        taps.append((last, side, before))
    top = None
    for tensor, at, width in reversed(taps if draw.chance(0.5) else []):
        merged = net.conv(tensor, at, 64, width, 1)
        if top is not None:
            merged = net.op([merged, net.op([top], at * at * 64)], at * at * 64)
        top = merged
        net.conv(merged, at, 64, 64)


def encoder(draw, net):
    side, channels, depth = draw.one([48, 64, 96]), draw.one([8, 12, 20]), draw.whole(3, 5)
    last, before, kept = net.op([], side * side * 3), 3, []
    for level in range(depth):
        last = net.conv(net.conv(last, side, channels, before), side, channels, channels)
        before = channels
        if level + 1 < depth:
            kept.append((last, side, channels))
            side, channels = side // 2, channels * 2
            last = net.op([last], side * side * before)
    for tensor, at, width in reversed(kept):
        joined = net.op([net.conv(last, at, width, before, 2), tensor], at * at * 2 * width)
        last, before = net.conv(net.conv(joined, at, width, 2 * width), at, width, width), width


def dense(draw, net):
    side, growth = draw.one([28, 40, 56]), draw.one([10, 16, 28])
    width = 2 * growth
    last = net.conv(net.op([], side * side * 3), side, width, 3)
    for _ in range(3):
        block = [(last, width)]
        for _ in range(draw.whole(3, 6)):
            width = sum(channels for _, channels in block)
            joined = net.op([tensor for tensor, _ in block], side * side * width) if len(block) > 1 else last
            inner = net.conv(joined, side, 4 * growth, width, 1)
            block.append((net.conv(inner, side, growth, 4 * growth), growth))
        width = sum(channels for _, channels in block)
        joined = net.op([tensor for tensor, _ in block], side * side * width)
        side = max(4, side // 2)
        last = net.conv(joined, side, width // 2, width, 1)
        width //= 2


def refining(draw, net):
    side, channels = draw.one([24, 32, 46]), draw.one([32, 64, 96])
    first = last = net.conv(net.op([], side * side * 3), side, channels, 3)
    width = channels
    for stage in range(draw.whole(3, 5)):
        heads = []
        for out in (draw.one([14, 19]), draw.one([28, 38])):
            tensor, before = last, width
            for _ in range(draw.whole(2, 4)):
                tensor, before = net.conv(tensor, side, channels, before, 7 if stage else 3), channels
            heads.append((net.conv(tensor, side, out, channels, 1), out))
        width = channels + sum(out for _, out in heads)
        last = net.op([first] + [tensor for tensor, _ in heads], side * side * width)


def skipping(draw, net):
    side = draw.one([14, 24, 36])
    made = [net.op([], side * side * 16)]
    for _ in range(draw.one([50, 80, 120])):
        reads = {made[-1]} if draw.chance(0.7) else set()
        for _ in range(draw.one([0, 1, 1, 2])):
            reads.add(draw.one(made[-draw.one([3, 9, 22]) :]))
        scale, channels = draw.one([1, 1, 1, 2, 2, 4]), draw.one([16, 20, 32, 40, 56, 72, 96])
        weights = draw.whole(500, 40000) if draw.chance(0.4) else 0
        made.append(net.op(sorted(reads or {made[-1]}), (side // scale) ** 2 * channels, weights))


KINDS = [cells, residual, encoder, dense, refining, skipping]


def write(folder, number, seed):
    kind = KINDS[number % len(KINDS)]
    draw, net = Draw(seed * 1_000_003 + number), Network()
    kind(draw, net)
    rows = net.buffers(draw.whole(2, 8) if number // len(KINDS) % 2 else 0)
    lines = [f'b{k},{lower},{upper},{size}\n' for k, (lower, upper, size) in enumerate(rows)]
    path = folder / f'{kind.__name__}-{seed}-{number:04}.csv'
    path.write_text('id,lower,upper,size\n' + ''.join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for number in range(given.count):
        write(given.folder, number, given.seed)


if __name__ == '__main__':
    main()
