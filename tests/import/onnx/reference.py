"""Infers the shapes of every .onnx file of a folder with the official package. Prints {file: {tensor: [type, [dims]]}} as JSON; a dimension
that it does not know is null, a file that it refuses has its message under "error"."""

import json
import pathlib
import sys

import onnx


def described(value):
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return [tensor.elem_type, None]
    return [tensor.elem_type, [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]]


def inferred(path):
    try:
        model = onnx.shape_inference.infer_shapes(onnx.load(path), strict_mode=True, data_prop=True)
    except Exception as error:
        return {"error": str(error)}
    graph = model.graph
    return {value.name: described(value) for value in [*graph.input, *graph.value_info, *graph.output]}


files = sorted(pathlib.Path(sys.argv[1]).glob("*.onnx"))
json.dump({path.name: inferred(path) for path in files}, sys.stdout)
