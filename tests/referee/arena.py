"""Where TFLite Micro has put a model's tensors, read from the arena of its interpreter in this process.

The tail of the arena holds a TfLiteEvalTensor for each tensor (c/common.h: a pointer to its data, one to its shape, its type), and shapes are the vectors
in the model's own bytes: that is how the lists are found. MicroAllocator::CommitPlan has set the pointers to the data.
"""

import ctypes
from pathlib import Path

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

STRIDE = 24
PAGE = 4096


def shapes_of(data):
    """Per subgraph and tensor the position of its shape in the file, None where it has none."""
    model = schema.Model.GetRootAs(data, 0)

    def place(tensor):
        field = tensor._tab.Offset(4)
        return tensor._tab.Vector(field) - 4 if field else None

    graphs = [model.Subgraphs(at) for at in range(model.SubgraphsLength())]
    return [[place(graph.Tensors(at)) for at in range(graph.TensorsLength())] for graph in graphs]


def arena_at(size):
    """The address of the block of this size that the system gave to new[], and the words of all that lies there."""
    chunk = -(-(size + 16) // PAGE) * PAGE
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, access = line.split()[:2]
        start, end = (int(one, 16) for one in span.split("-"))
        if end - start < chunk or not access.startswith("rw"):
            continue
        words = np.frombuffer((ctypes.c_uint8 * (end - start)).from_address(start), np.uint64)
        found = np.flatnonzero(words[1 :: PAGE // 8] == chunk + 2)
        if len(found) > 0:
            at = int(found[0]) * PAGE
            return start + at + 16, words[at // 8 : (at + chunk) // 8]
    raise LookupError("the arena is not found in memory")


def list_in(words, base, shapes):
    """The words of a subgraph's list of tensors: where the most of its shapes are."""
    known = [(at, base + place) for at, place in enumerate(shapes) if place is not None]
    best, most = None, 0
    for at, shape in known[:8]:
        for word in np.flatnonzero(words == shape):
            start = int(word) - 1 - at * STRIDE // 8
            if start < 0 or start + len(shapes) * STRIDE // 8 > len(words):
                continue
            hits = sum(int(words[start + other * STRIDE // 8 + 1]) == want for other, want in known)
            if hits > most:
                best, most = start, hits
    if most < max(1, len(known) // 2):
        raise LookupError("a list of tensors is not found in the arena")
    return words[best : best + len(shapes) * STRIDE // 8 : STRIDE // 8]


def offsets(data, size, head):
    """Of the tensors in the head, by their number, all subgraphs counted through."""
    arena, words = arena_at(size)
    base = id(data) + bytes.__basicsize__ - 1
    start = -(-arena // 16) * 16
    lists = [list_in(words, base, shapes) if shapes else [] for shapes in shapes_of(data)]
    places = [int(pointer) - start for pointers in lists for pointer in pointers]
    return {str(number): place for number, place in enumerate(places) if 0 <= place < head}
