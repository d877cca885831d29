"""What LiteRT and TFLite Micro make of models. One JSON task a line in, one answer a line out.

A task: {"runtime": "litert" or "tflm", "path": FILE, "inputs": {NUMBER: [SIDE, ...]}}.
An answer: {"tensors": {NUMBER: "float32[1, 2]"}}, of TFLite Micro {"tensors": {"arena head": "12288 bytes"}}; or {"error": WHY}.
"""

import json
import os
import re
import sys
import tempfile

import numpy as np


def litert(task):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    model = Interpreter(task["path"], experimental_op_resolver_type=OpResolverType.BUILTIN_REF, experimental_preserve_all_tensors=True)
    inputs = model.get_input_details()
    for one in inputs:
        sides = task["inputs"].get(str(one["index"]))
        if sides is not None and list(one["shape"]) != sides:
            model.resize_tensor_input(one["index"], sides)
    model.allocate_tensors()
    for one in model.get_input_details():
        model.set_tensor(one["index"], np.zeros(one["shape"], one["dtype"]))
    # the sizes of some tensors are known only then
    model.invoke()
    return {
        str(one["index"]): f"{np.dtype(one['dtype']).name}[{', '.join(map(str, one['shape']))}]"
        for one in model.get_tensor_details()
    }


def tflm(task):
    from tflite_micro.python.tflite_micro import runtime

    model = runtime.Interpreter.from_file(
        task["path"], intrepreter_config=runtime.InterpreterConfig.kAllocationRecording
    )
    # it prints below Python
    kept = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as told:
        os.dup2(told.fileno(), 1)
        os.dup2(told.fileno(), 2)
        model.print_allocations()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        told.seek(0)
        head = re.search(rb"allocation head (\d+) bytes", told.read())
    return {"arena head": f"{int(head[1])} bytes"}


for line in sys.stdin:
    try:
        task = json.loads(line)
        answer = {"tensors": (litert if task["runtime"] == "litert" else tflm)(task)}
    except Exception as error:  # whatever it says of a model is its answer
        answer = {"error": f"{type(error).__name__}: {error}".split("\n")[0][:300]}
    print(json.dumps(answer), flush=True)
