// A synthetic ONNX model that is mostly weights: a chain of MatMul, Add and Relu on [1, SIDE], each MatMul with SIDE × SIDE float32 of its own.
import { closeSync, openSync, writeSync } from 'node:fs'
import protobuf from 'protobufjs/minimal.js'

const SIDE = 512
const FLOAT = 1
const MIB = 1 << 20

const tag = (number) => number * 8 + 2

function within(writer, number, fill) {
  writer.uint32(tag(number)).fork()
  fill(writer)
  writer.ldelim()
}

/** A TensorProto but for its data, of which the tag and the length are the end. */
function weights(name, dims) {
  const bytes = 4 * dims.reduce((a, b) => a * b, 1)
  const writer = protobuf.Writer.create()
  for (const dim of dims) writer.uint32(8).int64(dim)
  writer.uint32(16).int32(FLOAT).uint32(tag(8)).string(name).uint32(tag(9)).uint32(bytes)
  return { head: writer.finish(), bytes }
}

/** A field of GraphProto: its tag, its length, what comes before the data. */
function initializer(name, dims) {
  const { head, bytes } = weights(name, dims)
  const writer = protobuf.Writer.create()
    .uint32(tag(5))
    .uint32(head.length + bytes)
  return { head: Buffer.concat([writer.finish(), head]), bytes }
}

function node(type, inputs, output) {
  const writer = protobuf.Writer.create()
  within(writer, 1, () => {
    for (const input of inputs) writer.uint32(tag(1)).string(input)
    writer.uint32(tag(2)).string(output).uint32(tag(4)).string(type)
  })
  return writer.finish()
}

function value(number, name, dims) {
  const writer = protobuf.Writer.create()
  within(writer, number, () => {
    writer.uint32(tag(1)).string(name)
    within(writer, 2, () =>
      within(writer, 1, () => {
        writer.uint32(8).int32(FLOAT)
        within(writer, 2, () => {
          for (const dim of dims) within(writer, 1, () => writer.uint32(8).int64(dim))
        })
      }),
    )
  })
  return writer.finish()
}

/** Writes a model of about so many MiB to a file. Returns its operators. */
export function writeBigOnnx(path, mebibytes) {
  const layers = Math.max(1, Math.round((mebibytes * MIB) / (4 * SIDE * SIDE)))
  const pieces = [value(11, 'x0', [1, SIDE]), value(12, `x${layers}`, [1, SIDE])]
  for (let k = 0; k < layers; k++) {
    pieces.push(node('MatMul', [`x${k}`, `w${k}`], `m${k}`), node('Add', [`m${k}`, `b${k}`], `a${k}`))
    pieces.push(node('Relu', [`a${k}`], `x${k + 1}`))
  }
  const stored = Array.from({ length: layers }, (_, k) => [
    initializer(`w${k}`, [SIDE, SIDE]),
    initializer(`b${k}`, [SIDE]),
  ]).flat()
  const length =
    pieces.reduce((sum, piece) => sum + piece.length, 0) +
    stored.reduce((sum, { head, bytes }) => sum + head.length + bytes, 0)
  const front = protobuf.Writer.create().uint32(8).int64(9)
  within(front, 8, () => front.uint32(16).int64(17))
  front.uint32(tag(7)).uint32(length)
  const data = Buffer.alloc(4 * SIDE * SIDE, 0x3c)
  const file = openSync(path, 'w')
  writeSync(file, front.finish())
  for (const piece of pieces) writeSync(file, piece)
  for (const { head, bytes } of stored) {
    writeSync(file, head)
    writeSync(file, data, 0, bytes)
  }
  closeSync(file)
  return 3 * layers
}
