"""Writes what ONNX Runtime makes of a model, into a folder: quantised in its ways, optimised, with its weights apart.

usage: make_models.py MODEL FOLDER {"input": [SIDE, ...], ...}
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_dynamic, quantize_static
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

source, folder, sizes = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
name = os.path.splitext(os.path.basename(source))[0]
os.makedirs(folder, exist_ok=True)


def path(kind):
    return os.path.join(folder, f"{name}.{kind}.onnx")


class Twice(CalibrationDataReader):
    def __init__(self):
        numbers = np.random.default_rng(1)
        kinds = {value.name: value.type for value in ort.InferenceSession(source).get_inputs()}
        batch = {
            one: numbers.random(shape).astype(np.float32) if kinds[one] == "tensor(float)" else np.zeros(shape, np.int64)
            for one, shape in sizes.items()
        }
        self.left = [batch, batch]

    def get_next(self):
        return self.left.pop() if self.left else None


def optimised(kind, level, origin=source):
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    options.optimized_model_filepath = path(kind)
    options.log_severity_level = 4
    ort.InferenceSession(origin, options, providers=["CPUExecutionProvider"])


def few_bits(kind, form):
    config = DefaultWeightOnlyQuantConfig(block_size=32, is_symmetric=True, bits=4, quant_format=form)
    quantizer = MatMulNBitsQuantizer(onnx.load(source), algo_config=config)
    quantizer.process()
    quantizer.model.save_model_to_file(path(kind))


def apart():
    onnx.save_model(
        onnx.load(source), path("apart"), save_as_external_data=True, location=f"{name}.weights", size_threshold=1024
    )


levels = ort.GraphOptimizationLevel
makers = {
    "basic": lambda: optimised("basic", levels.ORT_ENABLE_BASIC),
    "extended": lambda: optimised("extended", levels.ORT_ENABLE_EXTENDED),
    "all": lambda: optimised("all", levels.ORT_ENABLE_ALL),
    "dynamic": lambda: quantize_dynamic(source, path("dynamic")),
    "qdq": lambda: quantize_static(source, path("qdq"), Twice(), quant_format=QuantFormat.QDQ),
    "qdq, extended": lambda: optimised("qdq_extended", levels.ORT_ENABLE_EXTENDED, path("qdq")),
    "qoperator": lambda: quantize_static(source, path("qoperator"), Twice(), quant_format=QuantFormat.QOperator),
    "int4": lambda: few_bits("int4", QuantFormat.QOperator),
    "int4 qdq": lambda: few_bits("int4_qdq", QuantFormat.QDQ),
    "apart": apart,
}
for kind, make in makers.items():
    try:
        make()
    except Exception as error:  # the others may work
        print(f"{name}, {kind}: {type(error).__name__}: {error}".split("\n")[0][:200])
