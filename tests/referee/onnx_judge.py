"""What ONNX Runtime makes of models: the type and shape of every tensor. One JSON task a line in, one answer a line out.

A task: {"path": FILE, "inputs": {NAME: [SIDE, ...]}, "values": {NAME: [NUMBER, ...]}}.
An answer: {"figures": {NAME: "float32[1, 2]"}} or {"error": WHY}.
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort

NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(bool)": np.bool_,
    "tensor(string)": np.str_,
    **{f"tensor({name})": np.dtype(name).type for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")},
}


def filled(kind, shape, values):
    if values is not None:
        return np.full(shape, values if len(values) > 1 else values[0], NUMBERS[kind])
    # no sizes depend on them, so any do; small ones are indices of anything
    if kind in ("tensor(float)", "tensor(double)", "tensor(float16)"):
        return np.random.default_rng(1).random(shape).astype(NUMBERS[kind])
    if kind == "tensor(string)":
        return np.full(shape, "a")
    return np.zeros(shape, NUMBERS[kind])


def run(task):
    path = task["path"]
    model = onnx.load(path, load_external_data=False)
    outputs = {value.name for value in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in outputs:
                outputs.add(name)
                model.graph.output.append(onnx.ValueInfoProto(name=name))
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    # beside the file, where its external data is
    os.chdir(os.path.dirname(path))
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feed = {
        value.name: filled(value.type, task["inputs"][value.name], task["values"].get(value.name))
        for value in session.get_inputs()
    }
    names = [value.name for value in session.get_outputs()]
    made = session.run(names, feed)
    return {
        name: f"{value.dtype}[{', '.join(map(str, value.shape))}]"
        for name, value in [*zip(names, made), *feed.items()]
        if isinstance(value, np.ndarray)
    }


for line in sys.stdin:
    try:
        answer = {"figures": run(json.loads(line))}
    except Exception as error:  # whatever it says of a model is its answer
        answer = {"error": f"{type(error).__name__}: {error}".split("\n")[0][:300]}
    print(json.dumps(answer), flush=True)
