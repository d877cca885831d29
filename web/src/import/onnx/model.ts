/** An .onnx file as it is written: nodes, initializers without their weights, declared types. Fields by onnx.proto. */
import { bytesOf, DOUBLE, elements, FLOAT, INT32, INT64, isNumber, STRING } from './dtypes'
import { Refusal } from '../refusal'
import { Message, type Window } from './wire'

/** a number, the name of one, or unknown */
export type Dim = number | string | undefined

export interface Declared {
  name: string
  /** 0: not declared */
  dtype: number
  /** absent: not declared */
  dims?: Dim[]
  /** 'a sequence', …: not a tensor */
  other?: string
}

export interface Weights {
  name: string
  dtype: number
  shape: number[]
  /** kept of small tensors only */
  values?: number[]
  /** of a string tensor */
  stringBytes: number
}

export interface Attribute {
  name: string
  /** of the function's own attribute that stands here */
  ref: string
  i: number
  f: number
  s: string
  ints: number[]
  floats: number[]
  strings: string[]
  tensor?: Weights
  graph?: OnnxGraph
}

export interface OnnxNode {
  name: string
  type: string
  domain: string
  overload: string
  inputs: string[]
  outputs: string[]
  attributes: Map<string, Attribute>
}

export interface OnnxGraph {
  name: string
  nodes: OnnxNode[]
  initializers: Weights[]
  inputs: Declared[]
  outputs: Declared[]
  infos: Declared[]
}

export interface OnnxFunction {
  name: string
  domain: string
  overload: string
  inputs: string[]
  outputs: string[]
  attributes: Attribute[]
  nodes: OnnxNode[]
  infos: Declared[]
  opsets: Map<string, number>
}

export interface OnnxModel {
  graph: OnnxGraph
  functions: OnnxFunction[]
  /** version by domain; '' is ONNX itself */
  opsets: Map<string, number>
}

/** Tensors with more elements are weights: nothing reads a shape from them. */
export const KEPT = 1024
export const MOST_DIMS = 64
const MOST_LISTED = 1 << 12

/** 'ai.onnx' is the long name of ''. */
function domainOf(text: string): string {
  return text === 'ai.onnx' ? '' : text
}

export function readModel(window: Window): OnnxModel {
  const message = new Message(window, 0, window.size, 'the model')
  const model: Omit<OnnxModel, 'graph'> = { functions: [], opsets: new Map() }
  let graph: OnnxGraph | undefined
  while (message.next()) {
    if (message.number === 7) graph = readGraph(window, message.message('graph'))
    else if (message.number === 8) readOpset(message.message('opset_import'), model.opsets)
    else if (message.number === 25) model.functions.push(readFunction(window, message.message('function')))
  }
  if (!graph) throw new Refusal('This is not an ONNX model: it has no graph.')
  return { ...model, graph }
}

function readOpset(message: Message, into: Map<string, number>): void {
  let domain = ''
  let version = 1
  while (message.next()) {
    if (message.number === 1) domain = message.text()
    else if (message.number === 2) version = message.int()
  }
  into.set(domainOf(domain), version)
}

function readFunction(window: Window, message: Message): OnnxFunction {
  const made: OnnxFunction = {
    name: '',
    domain: '',
    overload: '',
    inputs: [],
    outputs: [],
    attributes: [],
    nodes: [],
    infos: [],
    opsets: new Map(),
  }
  while (message.next()) {
    switch (message.number) {
      case 1:
        made.name = message.text()
        break
      case 4:
        made.inputs.push(message.text())
        break
      case 5:
        made.outputs.push(message.text())
        break
      case 7:
        made.nodes.push(readNode(window, message.message(`node ${made.nodes.length}`)))
        break
      case 9:
        readOpset(message.message('opset_import'), made.opsets)
        break
      case 10:
        made.domain = domainOf(message.text())
        break
      case 11:
        made.attributes.push(readAttribute(window, message.message('attribute')))
        break
      case 12:
        made.infos.push(readDeclared(message.message('value_info')))
        break
      case 13:
        made.overload = message.text()
        break
    }
  }
  return made
}

function readGraph(window: Window, message: Message): OnnxGraph {
  const graph: OnnxGraph = { name: '', nodes: [], initializers: [], inputs: [], outputs: [], infos: [] }
  while (message.next()) {
    switch (message.number) {
      case 1:
        graph.nodes.push(readNode(window, message.message(`node ${graph.nodes.length}`)))
        break
      case 2:
        graph.name = message.text()
        break
      case 5:
        graph.initializers.push(readWeights(window, message.message(`initializer ${graph.initializers.length}`)))
        break
      case 11:
        graph.inputs.push(readDeclared(message.message(`input ${graph.inputs.length}`)))
        break
      case 12:
        graph.outputs.push(readDeclared(message.message(`output ${graph.outputs.length}`)))
        break
      case 13:
        graph.infos.push(readDeclared(message.message(`value_info ${graph.infos.length}`)))
        break
      case 15:
        graph.initializers.push(readSparse(window, message.message('sparse_initializer')))
        break
    }
  }
  return graph
}

function readNode(window: Window, message: Message): OnnxNode {
  const node: OnnxNode = {
    name: '',
    type: '',
    domain: '',
    overload: '',
    inputs: [],
    outputs: [],
    attributes: new Map(),
  }
  while (message.next()) {
    switch (message.number) {
      case 1:
        node.inputs.push(message.text())
        break
      case 2:
        node.outputs.push(message.text())
        break
      case 3:
        node.name = message.text()
        break
      case 4:
        node.type = message.text()
        break
      case 5: {
        const attribute = readAttribute(window, message.message('attribute'))
        node.attributes.set(attribute.name, attribute)
        break
      }
      case 7:
        node.domain = domainOf(message.text())
        break
      case 8:
        node.overload = message.text()
        break
    }
  }
  return node
}

function readAttribute(window: Window, message: Message): Attribute {
  const made: Attribute = { name: '', ref: '', i: 0, f: 0, s: '', ints: [], floats: [], strings: [] }
  while (message.next()) {
    switch (message.number) {
      case 1:
        made.name = message.text()
        break
      case 2:
        made.f = message.float()
        break
      case 3:
        made.i = message.int()
        break
      case 4:
        // longer ones are data of some custom operator
        if (message.length <= MOST_LISTED) made.s = message.text()
        break
      case 5:
        made.tensor = readWeights(window, message.message('tensor'))
        break
      case 6:
        made.graph = readGraph(window, message.message('graph'))
        break
      case 7:
        message.floats(made.floats, MOST_LISTED)
        break
      case 8:
        message.ints(made.ints, MOST_LISTED)
        break
      case 9:
        if (made.strings.length < MOST_LISTED && message.length <= MOST_LISTED) made.strings.push(message.text())
        break
      case 21:
        made.ref = message.text()
        break
      case 22:
        made.tensor = readSparse(window, message.message('sparse_tensor'))
        break
    }
  }
  return made
}

const others: Readonly<Record<number, string>> = { 4: 'a sequence', 5: 'a map', 9: 'an optional' }

function readDeclared(message: Message): Declared {
  const made: Declared = { name: '', dtype: 0 }
  while (message.next()) {
    if (message.number === 1) made.name = message.text()
    else if (message.number === 2) readType(message.message('type'), made)
  }
  return made
}

function readType(message: Message, made: Declared): void {
  while (message.next()) {
    // dense or sparse, the type and the shape are the same fields
    if (message.number === 1 || message.number === 8) {
      const tensor = message.message('tensor_type')
      while (tensor.next()) {
        if (tensor.number === 1) made.dtype = tensor.int()
        else if (tensor.number === 2) made.dims = readDims(tensor.message('shape'))
      }
    } else {
      const other = others[message.number]
      if (other) made.other = other
    }
  }
}

/** undefined where the file gives no name: Paddle writes ? for each side that it does not know, and they need not be equal. */
function nameOfSide(text: string): string | undefined {
  return text === '' || text === '?' ? undefined : text
}

function readDims(message: Message): Dim[] {
  const dims: Dim[] = []
  while (message.next()) {
    if (message.number !== 1) continue
    if (dims.length === MOST_DIMS) message.wrong(`a shape of more than ${MOST_DIMS} dimensions`)
    const dim = message.message('dim')
    let made: Dim
    while (dim.next()) {
      // a negative size is how some converters write an unknown one
      if (dim.number === 1) made = dim.int() < 0 ? undefined : dim.int()
      else if (dim.number === 2) made = nameOfSide(dim.text())
    }
    dims.push(made)
  }
  return dims
}

/** The data of a tensor while it is read: where raw_data is, or the values of a typed list. */
interface Data {
  raw?: { from: number; length: number }
  list: number[]
  listed: number
  external: boolean
}

function readWeights(window: Window, message: Message): Weights {
  const made: Weights = { name: '', dtype: 0, shape: [], stringBytes: 0 }
  const data: Data = { list: [], listed: 0, external: false }
  while (message.next()) {
    switch (message.number) {
      case 1:
        if (message.ints(made.shape, MOST_DIMS + 1) > MOST_DIMS || made.shape.length > MOST_DIMS)
          message.wrong(`a tensor of more than ${MOST_DIMS} dimensions`)
        break
      case 2:
        made.dtype = message.int()
        break
      case 4:
        data.listed += message.floats(data.list, KEPT)
        break
      case 5:
      case 7:
      case 11:
        data.listed += message.ints(data.list, KEPT)
        break
      case 6:
        made.stringBytes += message.length
        break
      case 8:
        made.name = message.text()
        break
      case 9:
        data.raw = { from: message.offset, length: message.length }
        break
      case 14:
        data.external = message.int() === 1
        break
    }
  }
  check(made, data, message)
  const values = valuesOf(window, made, data)
  if (values) made.values = values
  return made
}

function check(made: Weights, data: Data, message: Message): void {
  if (made.shape.some((dim) => dim < 0)) message.wrong(`the tensor “${made.name}” has a negative dimension`)
  const bytes = bytesOf(made.dtype, made.shape)
  if (bytes === null || !Number.isSafeInteger(elements(made.shape)))
    message.wrong(`the tensor “${made.name}” is larger than 2^53 bytes`)
  if (bytes === undefined && made.dtype !== STRING)
    message.wrong(`the tensor “${made.name}” has data type ${made.dtype}, which is not known`)
  const raw = data.raw?.length ?? 0
  if (!data.external && raw > 0 && raw !== bytes)
    message.wrong(`the tensor “${made.name}” has ${raw} bytes of data, its shape and type say ${bytes}`)
}

/** The values of a small tensor of numbers; undefined if they are not needed, or elsewhere. */
function valuesOf(window: Window, made: Weights, data: Data): number[] | undefined {
  const count = elements(made.shape)
  if (data.external || count > KEPT || !isNumber(made.dtype)) return undefined
  if (count === 0) return []
  if (!data.raw) return data.listed === count && data.list.length === count ? data.list : undefined
  if (data.raw.length === 0) return undefined
  const bytes = window.bytes(data.raw.from, data.raw.length)
  return decode(made.dtype, bytes, count)
}

function decode(dtype: number, bytes: Uint8Array, count: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const each = (read: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => read(i))
  switch (dtype) {
    case FLOAT:
      return each((i) => view.getFloat32(4 * i, true))
    case 3:
      return each((i) => view.getInt8(i))
    case 4:
      return each((i) => view.getUint16(2 * i, true))
    case 5:
      return each((i) => view.getInt16(2 * i, true))
    case INT32:
      return each((i) => view.getInt32(4 * i, true))
    case INT64:
      return each((i) => Number(view.getBigInt64(8 * i, true)))
    case DOUBLE:
      return each((i) => view.getFloat64(8 * i, true))
    case 12:
      return each((i) => view.getUint32(4 * i, true))
    case 13:
      return each((i) => Number(view.getBigUint64(8 * i, true)))
    default:
      return each((i) => view.getUint8(i))
  }
}

/** As the dense tensor that it stands for: runtimes unpack it before they use it. */
function readSparse(window: Window, message: Message): Weights {
  const dense: Weights = { name: '', dtype: 0, shape: [], stringBytes: 0 }
  while (message.next()) {
    if (message.number === 1) {
      const values = readWeights(window, message.message('values'))
      dense.name = values.name
      dense.dtype = values.dtype
    } else if (message.number === 3) {
      if (message.ints(dense.shape, MOST_DIMS + 1) > MOST_DIMS || dense.shape.length > MOST_DIMS)
        message.wrong(`a tensor of more than ${MOST_DIMS} dimensions`)
    }
  }
  check(dense, { list: [], listed: 0, external: true }, message)
  return dense
}
