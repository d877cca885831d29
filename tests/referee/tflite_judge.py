"""What LiteRT and TFLite Micro make of models. One JSON task a line in, one answer a line out.

A task: {"runtime": "litert", "litert arena" or "tflm", "path": FILE, "inputs": {NUMBER: [SIDE, ...]}, "placed": [NUMBER, ...]}.
An answer: {"figures": {NAME: TEXT}}, of tflm with its "log", or {"error": WHY}. Of litert the type and shape of each
tensor, by its number; of the others the height of the arena and where each tensor is in it, of LiteRT's those that are placed.
"""

import json
import os
import re
import sys
import tempfile

import numpy as np

ARENA = 256 << 20
# of LiteRT's tensors
ALIGNMENT = 64


def allocated(task, **options):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    model = Interpreter(task["path"], experimental_op_resolver_type=OpResolverType.BUILTIN_REF, **options)
    for one in model.get_input_details():
        sides = task["inputs"].get(str(one["index"]))
        if sides is not None and list(one["shape"]) != sides:
            model.resize_tensor_input(one["index"], sides)
    model.allocate_tensors()
    return model


def invoked(model):
    for one in model.get_input_details():
        model.set_tensor(one["index"], np.zeros(one["shape"], one["dtype"]))
    # the sizes of some tensors are known only then
    model.invoke()


def litert(task):
    model = allocated(task, experimental_preserve_all_tensors=True)
    invoked(model)
    return {
        str(one["index"]): f"{np.dtype(one['dtype']).name}[{', '.join(map(str, one['shape']))}]"
        for one in model.get_tensor_details()
        # of resources it tells no type
        if one["dtype"] is not np.object_
    }


def in_arena(views):
    """What is computed while it prepares lies elsewhere (kTfLitePersistentRo): at an address of less alignment, or far from the others."""
    views = {number: view for number, view in views.items() if view.ctypes.data % ALIGNMENT == 0}
    room = sum(view.nbytes + ALIGNMENT for view in views.values())
    middle = sorted(view.ctypes.data for view in views.values())[len(views) // 2]
    return {number: view for number, view in views.items() if abs(view.ctypes.data - middle) <= room}


def litert_arena(task):
    model = allocated(task)
    invoked(model)
    found = {number: model.tensor(number)() for number in task["placed"]}
    # of a scalar it hands out a copy
    views = in_arena({number: view for number, view in found.items() if isinstance(view, np.ndarray)})
    start = min(view.ctypes.data for view in views.values())
    top = max(view.ctypes.data + view.nbytes for view in views.values())
    places = {str(number): f"at {view.ctypes.data - start}" for number, view in views.items()}
    return {"arena": f"{top - start} bytes", **places}


def tflm(task):
    import arena
    from tflite_micro.python.tflite_micro import runtime

    with open(task["path"], "rb") as file:
        data = file.read()
    model = runtime.Interpreter.from_bytes(data, arena_size=ARENA)
    # it prints below Python
    kept = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as told:
        os.dup2(told.fileno(), 1)
        os.dup2(told.fileno(), 2)
        model.print_allocations()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        told.seek(0)
        log = told.read().decode()
    for one in kept:
        os.close(one)
    head, tail = (int(re.search(rf"allocation {part} (\d+) bytes", log)[1]) for part in ("head", "tail"))
    places = arena.offsets(data, ARENA, head)
    del model
    figures = {"arena": f"{head} bytes", **{number: f"at {place}" for number, place in places.items()}}
    smallest = f"{least(data, head + tail)} bytes"
    return {**figures, "tail": f"{tail} bytes", "least arena": smallest, "least arena by rule": smallest}, log


def runs(data, size):
    from tflite_micro.python.tflite_micro import runtime

    try:
        runtime.Interpreter.from_bytes(data, arena_size=size)
        return True
    except RuntimeError:
        return False


def least(data, total):
    """The smallest arena in which the interpreter comes up, to 16 bytes; it needs no less than its head and tail."""
    below, enough = total // 16 - 16, 2 * (total // 16) + 1024
    while enough - below > 1:
        middle = (below + enough) // 2
        below, enough = (below, middle) if runs(data, 16 * middle) else (middle, enough)
    return 16 * enough


RUNTIMES = {"litert": litert, "litert arena": litert_arena, "tflm": tflm}
for line in sys.stdin:
    try:
        task = json.loads(line)
        figures = RUNTIMES[task["runtime"]](task)
        answer = {"figures": figures} if isinstance(figures, dict) else {"figures": figures[0], "log": figures[1]}
    except Exception as error:  # whatever it says of a model is its answer
        answer = {"error": f"{type(error).__name__}: {error}".split("\n")[0][:300]}
    print(json.dumps(answer), flush=True)
