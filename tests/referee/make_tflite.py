"""Writes models that TensorFlow makes, into a folder: networks with weights drawn at random, quantised in its ways, with branches, loops,
states and signatures.

usage: make_tflite.py FOLDER
"""

import contextlib
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf

FOLDER = sys.argv[1]
os.makedirs(FOLDER, exist_ok=True)
keras, layers = tf.keras, tf.keras.layers
tf.random.set_seed(1)
numbers = np.random.default_rng(1)


def drawn(sides):
    return numbers.random(sides, np.float32)


def spec(*sides, dtype=tf.float32):
    return tf.TensorSpec(sides, dtype)


# ---- networks --------------------------------------------------------------------------------------------------------


def separable(side=49, high=10):
    """DS-CNN of keyword spotting."""
    x = given = keras.Input((side, high, 1), 1)
    x = layers.Conv2D(64, (10, 4), 2, "same", activation="relu")(x)
    for _ in range(4):
        x = layers.DepthwiseConv2D(3, padding="same", activation="relu")(x)
        x = layers.Conv2D(64, 1, activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(given, layers.Dense(12, activation="softmax")(x))


def residual():
    """ResNet-8 of image classification."""
    x = given = keras.Input((32, 32, 3), 1)
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
    for filters, stride in [(16, 1), (32, 2), (64, 2)]:
        y = layers.Conv2D(filters, 3, stride, "same", activation="relu")(x)
        y = layers.Conv2D(filters, 3, padding="same")(y)
        if stride > 1:
            x = layers.Conv2D(filters, 1, stride, "same")(x)
        x = layers.ReLU()(layers.Add()([x, y]))
    x = layers.Flatten()(layers.AveragePooling2D(8)(x))
    return keras.Model(given, layers.Dense(10, activation="softmax")(x))


def unet(side=64):
    x = given = keras.Input((side, side, 3), 1)
    skips = []
    for filters in [8, 16, 32]:
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = layers.MaxPooling2D()(x)
    for filters in [32, 16, 8]:
        x = layers.Conv2DTranspose(filters, 3, 2, "same")(x)
        x = layers.Concatenate()([x, skips.pop()])
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return keras.Model(given, layers.Conv2D(2, 1)(x))


def attention():
    x = given = keras.Input((16, 32), 1)
    for _ in range(2):
        y = layers.MultiHeadAttention(4, 8)(x, x)
        x = layers.LayerNormalization()(layers.Add()([x, y]))
        y = layers.Dense(32)(layers.Dense(64, activation="gelu")(x))
        x = layers.LayerNormalization()(layers.Add()([x, y]))
    return keras.Model(given, x)


def dilated():
    """Convolutions along time."""
    x = given = keras.Input((64, 16), 1)
    for rate in [1, 2, 4, 8]:
        y = layers.Conv1D(16, 3, dilation_rate=rate, padding="causal", activation="relu")(x)
        x = layers.Add()([x, y])
    return keras.Model(given, layers.Dense(4)(x))


def recurrent(kind, **how):
    x = given = keras.Input((20, 8), 1)
    return keras.Model(given, layers.Dense(3)(kind(16, return_sequences=True, **how)(x)))


def open_time():
    x = given = keras.Input((None, 8), 1)
    for filters in [16, 16]:
        x = layers.Conv1D(filters, 3, padding="same", activation="relu")(x)
    return keras.Model(given, layers.Dense(4)(layers.GlobalMaxPooling1D()(x)))


# ---- functions -------------------------------------------------------------------------------------------------------


class Branches(tf.Module):
    @tf.function(input_signature=[spec(1, 16), spec(dtype=tf.bool)])
    def __call__(self, x, which):
        y = tf.tanh(x)
        return tf.cond(which, lambda: tf.matmul(y, tf.ones((16, 16))) + x, lambda: tf.exp(y) * tf.abs(x))


class Loop(tf.Module):
    @tf.function(input_signature=[spec(4, 16)])
    def __call__(self, x):
        def body(k, y):
            return k + 1, tf.tanh(tf.matmul(y, tf.eye(16)) + x)

        return tf.while_loop(lambda k, _: k < 5, body, [0, x])[1]


class State(tf.Module):
    def __init__(self):
        self.kept = tf.Variable(tf.zeros((1, 3, 16)))

    @tf.function(input_signature=[spec(1, 1, 16)])
    def __call__(self, x):
        both = tf.concat([self.kept, x], 1)
        self.kept.assign(both[:, 1:, :])
        return tf.reduce_sum(both * both, 1)


class Mixed(tf.Module):
    """Operators that move, cut and join."""

    @tf.function(input_signature=[spec(1, 12, 16, 8)])
    def __call__(self, x):
        a, b = tf.split(x, [3, 5], axis=3)
        c = tf.concat([tf.reverse(b, [1]), tf.pad(a, [[0, 0], [0, 0], [0, 0], [1, 1]])], 3)
        d = tf.image.resize(c, (24, 32), "bilinear") + tf.image.resize(c, (24, 32), "nearest")
        e = tf.nn.depth_to_space(tf.nn.space_to_depth(d, 2) * 2, 2)[:, 2:-2, ::2, 1:]
        f = tf.stack(tf.unstack(tf.transpose(e, [0, 3, 1, 2]), axis=1)[:4], axis=-1)
        g = tf.reduce_max(f, [1], keepdims=True) * tf.reduce_mean(f, [1, 2], keepdims=True)
        h = tf.gather(tf.squeeze(g, 1), [3, 0, 5, 1], axis=1)
        return tf.nn.softmax(h), tf.cast(tf.argmax(h, -1), tf.float32), tf.einsum("bij,bkj->bik", h, h)


class Two(tf.Module):
    def __init__(self):
        self.weights = tf.Variable(drawn((32, 8)))

    @tf.function(input_signature=[spec(1, 32)])
    def encode(self, x):
        return {"code": tf.nn.relu(tf.matmul(x, self.weights))}

    @tf.function(input_signature=[spec(1, 8)])
    def decode(self, code):
        return {"x": tf.sigmoid(tf.matmul(code, self.weights, transpose_b=True))}


# ---- conversions -----------------------------------------------------------------------------------------------------


def plain(converter, model):
    return converter


def dynamic_range(converter, model):
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    return converter


def half(converter, model):
    converter.target_spec.supported_types = [tf.float16]
    return dynamic_range(converter, model)


def samples(model):
    shapes = [[1 if side is None else side for side in one.shape] for one in model.inputs]
    return lambda: ([drawn(shape) for shape in shapes] for _ in range(4))


def int8(converter, model):
    converter.representative_dataset = samples(model)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return dynamic_range(converter, model)


def int16(converter, model):
    converter.representative_dataset = samples(model)
    converter.target_spec.supported_ops = [
        tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
    ]
    return dynamic_range(converter, model)


def of_layers(model, change):
    return change(tf.lite.TFLiteConverter.from_keras_model(model), model)


def of_function(module, *names):
    functions = [getattr(module, name) for name in names or ["__call__"]]
    if len(functions) == 1:
        return tf.lite.TFLiteConverter.from_concrete_functions([functions[0].get_concrete_function()], module)
    path = os.path.join(FOLDER, "saved")
    tf.saved_model.save(module, path, dict(zip(names, functions)))
    return tf.lite.TFLiteConverter.from_saved_model(path, signature_keys=list(names))


def with_resources(converter):
    converter.experimental_enable_resource_variables = True
    return converter


ways = {"float": plain, "half": half, "dynamic": dynamic_range, "int8": int8, "int16": int16}
networks = {
    "dscnn": (separable, ways),
    "resnet8": (residual, ways),
    "unet": (unet, ways),
    "attention": (attention, ["float", "dynamic", "int8"]),
    "dilated": (dilated, ["float", "int8"]),
    # int8 of this one ends its converter
    "lstm": (lambda: recurrent(layers.LSTM), ["float"]),
    "lstm_unrolled": (lambda: recurrent(layers.LSTM, unroll=True), ["float"]),
    "gru": (lambda: recurrent(layers.GRU), ["float"]),
    "rnn": (lambda: recurrent(layers.SimpleRNN), ["float"]),
    "open_time": (open_time, ["float"]),
    "mobilenet_v2": (
        lambda: keras.applications.MobileNetV2((96, 96, 3), 0.35, weights=None),
        ["float", "half", "dynamic"],
    ),
    "mobilenet_v3": (lambda: keras.applications.MobileNetV3Small((96, 96, 3), weights=None), ["float"]),
    "efficientnet_b0": (lambda: keras.applications.EfficientNetB0(weights=None, input_shape=(96, 96, 3)), ["float"]),
    "densenet121": (lambda: keras.applications.DenseNet121(weights=None, input_shape=(96, 96, 3)), ["float"]),
    "nasnet": (lambda: keras.applications.NASNetMobile(weights=None, input_shape=(224, 224, 3)), ["float"]),
}
functions = {
    "branches": lambda: of_function(Branches()),
    "mixed": lambda: of_function(Mixed()),
    "loop": lambda: of_function(Loop()),
    "state": lambda: with_resources(of_function(State())),
    "two_signatures": lambda: with_resources(of_function(Two(), "encode", "decode")),
}


def write(name, make):
    path = os.path.join(FOLDER, f"{name}.tflite")
    if os.path.exists(path):
        return
    try:
        # it tells at length what it saves
        with contextlib.redirect_stdout(sys.stderr):
            made = make().convert()
    except Exception as error:  # the others may work
        print(f"{name}: {type(error).__name__}: {error}".split("\n")[0][:200])
        return
    with open(path, "wb") as file:
        file.write(made)


for name, (network, changes) in networks.items():
    model = network()
    for change in changes:
        write(f"{name}.{change}", lambda model=model, change=change: of_layers(model, ways[change]))
for name, function in functions.items():
    write(name, function)
