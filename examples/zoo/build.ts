/**
 * Builds the graph of a network layer by layer: shapes, bytes, operators with their constants, what may share memory. Shapes are in the
 * order of batch, channels, then space (none, one, two or three axes), whatever layout a runtime would choose: the bytes are the same.
 */
import type { Graph, Kind, Op, Tensor } from '../../web/src/import/graph'
import { ALL, each, follows, JOINED, resized, SAME, slide, spread, windowsText } from '../../web/src/import/windows'

export interface Options {
  /** pixels of the input's edge, or tokens; each network has its own default */
  size?: number
  batch?: number
  /** of an element: 1 (int8), 2 (float16) or 4 (float32) */
  bytes?: number
  /**
   * Fold batch normalisation into the convolution before it and let the operator apply the activation next to it, as a converter for
   * inference does. When off, each is an operator of its own.
   */
  fuse?: boolean
  /** keep weights and biases as constant tensors */
  weights?: boolean
  /** the first and the last operator to keep, by index or id: what is cut becomes inputs and outputs of the graph */
  first?: number | string
  last?: number | string
  /** a whole training step; normalisation and activations are operators of their own then */
  training?: boolean
}

/** What the layers are built by, with nothing left open. */
export type Settings = Required<Omit<Options, 'first' | 'last' | 'training'>>

/** A tensor of the graph being built: its index. */
export type T = number

export type Activation =
  | 'Relu'
  | 'Clip'
  | 'LeakyRelu'
  | 'PRelu'
  | 'Sigmoid'
  | 'HardSigmoid'
  | 'HardSwish'
  | 'Tanh'
  | 'Gelu'

/** One number for every axis of space, or one for each. */
export type Space = number | readonly number[]

/**
 * half: dilation × (kernel − 1) / 2 on both sides, which keeps the size at stride 1. same: TensorFlow's, whose output is the input divided
 * by the stride, rounded up. A number is what is added on either side.
 */
export type Pad = 'half' | 'same' | Space

export interface Window {
  /** 1 unless said */
  stride?: Space
  /** 'half' unless said */
  pad?: Pad
}

export interface ConvOptions extends Window {
  id?: string
  dilation?: number
  groups?: number
  /** batch normalisation follows; true unless said */
  norm?: boolean
  /** without normalisation unless said */
  bias?: boolean
  /** applied to the result */
  act?: Activation
  /** of a PRelu: one for each channel unless said */
  slopes?: number
  /** applied to the input as it is read: fused, it costs no memory of its own */
  pre?: Activation
}

interface Emitted {
  /** inputs whose memory the output may take over, where it has their shape */
  inplace?: readonly T[]
  /** what of each input is needed; absent: not known */
  reads?: readonly (readonly string[])[]
}

const dtypes: Record<number, string> = { 1: 'int8', 2: 'float16', 4: 'float32' }

const product = (values: readonly number[]) => values.reduce((all, one) => all * one, 1)

function count(what: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`${what}: expected a whole number of at least 1, found ${value}`)
}

export class Net {
  readonly size: number
  readonly batch: number
  readonly fuse: boolean
  private readonly bytes: number
  private readonly tensors: Tensor[] = []
  private readonly ops: Op[] = []
  private readonly ids = new Set<string>()
  private scopes: string[] = []
  /** the constants of twins so far, and the next of them */
  private twin: { constants: T[]; next: number } | undefined

  constructor(
    private readonly name: string,
    { size, batch, bytes, fuse }: Settings,
  ) {
    this.size = count('size', size)
    this.batch = count('batch', batch)
    this.bytes = bytes
    this.fuse = fuse
    if (!dtypes[bytes]) throw new Error(`bytes: expected 1, 2 or 4, found ${bytes}`)
  }

  graph(): Graph {
    return { name: this.name, tensors: this.tensors, ops: this.ops }
  }

  shape(x: T): readonly number[] {
    return this.tensor(x).shape ?? []
  }

  channels(x: T): number {
    return this.shape(x)[1] ?? 1
  }

  /** What is built inside is named after the scope. */
  in<R>(scope: string, build: () => R): R {
    this.scopes.push(scope)
    try {
      return build()
    } finally {
      this.scopes.pop()
    }
  }

  /** The same layers on several inputs, with one set of weights. */
  twins(inputs: readonly T[], build: (x: T, k: number) => T): T[] {
    const constants: T[] = []
    return inputs.map((x, k) => {
      this.twin = { constants, next: 0 }
      const y = build(x, k)
      this.twin = undefined
      return y
    })
  }

  /** A graph input of these axes after the batch. */
  input(id: string, ...axes: number[]): T {
    return this.draw(this.free(id), [this.batch, ...axes], { input: true })
  }

  /** A square picture of the network's input size. */
  image(channels = 3): T {
    return this.input('input', channels, this.size, this.size)
  }

  output(...outputs: T[]): void {
    for (const x of outputs) this.tensors[x] = { ...this.tensor(x), kind: { ...this.tensor(x).kind, output: true } }
  }

  conv(x: T, channels: number, kernel: Space, o: ConvOptions = {}): T {
    const from = this.channels(x)
    const groups = o.groups ?? 1
    if (from % groups !== 0 || channels % groups !== 0)
      throw new Error(`${this.name}: ${from} to ${channels} channels in ${groups} groups`)
    const window = this.every(x, kernel)
    const size = this.slide(x, window, o, o.dilation ?? 1, false)
    const type = groups > 1 && groups === from ? 'DepthwiseConv' : 'Conv'
    const reads = [
      SAME,
      groups === from && channels === from ? SAME : ALL,
      ...this.windows(x, window, size, o, o.dilation),
    ]
    return this.weighted(type, x, [channels, from / groups, ...window], [this.batch, channels, ...size], o, reads)
  }

  depthwise(x: T, kernel: Space, o: ConvOptions = {}): T {
    return this.conv(x, this.channels(x), kernel, { ...o, groups: this.channels(x) })
  }

  /**
   * A depthwise and a pointwise convolution with nothing between them, as Keras has it as one layer. Fused, what is between them is never in
   * memory as a whole: one operator.
   */
  separable(x: T, channels: number, kernel: number, o: Pick<ConvOptions, 'stride' | 'dilation' | 'pre'> = {}): T {
    if (!this.fuse) return this.conv(this.depthwise(x, kernel, { ...o, norm: false, bias: false }), channels, 1)
    const size = this.slide(x, this.every(x, kernel), o, o.dilation ?? 1, false)
    const id = this.take('SeparableConv')
    const constants = [
      this.constant(id, 'depthwise.weight', [this.channels(x), 1, ...this.every(x, kernel)]),
      this.constant(id, 'weight', [channels, this.channels(x), ...this.every(x, 1)]),
      this.constant(id, 'bias', [channels]),
    ]
    const reads = [SAME, ALL, ...this.windows(x, this.every(x, kernel), size, o, o.dilation)]
    return this.emit(id, 'SeparableConv', [x, ...constants], [this.batch, channels, ...size], { reads: [reads] })
  }

  /** extra: added at the far side of the output, PyTorch's output_padding. */
  transposed(
    x: T,
    channels: number,
    kernel: number,
    o: ConvOptions & { stride: number; pad: number; extra?: number },
  ): T {
    const size = this.space(x).map((n) => (n - 1) * o.stride - 2 * o.pad + kernel + (o.extra ?? 0))
    const weight = [this.channels(x), channels, ...this.every(x, kernel)]
    const reads = [SAME, ALL, ...size.map(() => spread(kernel, o.stride, o.pad))]
    return this.weighted('ConvTranspose', x, weight, [this.batch, channels, ...size], o, reads)
  }

  /** ceil: a window that only partly covers the input counts, if it starts within it. */
  pool(kind: 'Max' | 'Average', x: T, kernel: Space, o: Window & { ceil?: boolean } = {}): T {
    const size = this.slide(x, this.every(x, kernel), o, 1, o.ceil ?? false)
    const reads = [SAME, SAME, ...this.windows(x, this.every(x, kernel), size, o)]
    return this.op(`${kind}Pool`, [x], [this.batch, this.channels(x), ...size], { reads: [reads] })
  }

  /** keep: leaves the axes of space, at 1 each. */
  globalPool(x: T, keep = false): T {
    const rest = keep ? this.space(x).map(() => 1) : []
    const reads = [SAME, SAME, ...this.space(x).map(() => ALL)]
    return this.op('GlobalAveragePool', [x], [this.batch, this.channels(x), ...rest], { reads: [reads] })
  }

  /** Batch normalisation with nothing before it to fold it into, and the activation after it. */
  norm(x: T, act?: Activation): T {
    const channels = this.channels(x)
    const pieces = this.fuse ? ['scale', 'shift'] : ['scale', 'shift', 'mean', 'variance']
    const id = this.take('BatchNormalization')
    const constants = pieces.map((piece) => this.constant(id, piece, [channels]))
    const o = { inplace: [x], reads: [this.shape(x).map(() => SAME)] }
    const y = this.emit(id, 'BatchNormalization', [x, ...constants], this.shape(x), o)
    return act && !this.fuse ? this.act(y, act) : y
  }

  act(x: T, type: Activation, slopes = this.channels(x)): T {
    const id = this.take(type)
    const slope = type === 'PRelu' ? [this.constant(id, 'slope', [slopes])] : []
    return this.emit(id, type, [x, ...slope], this.shape(x), { inplace: [x], reads: [this.shape(x).map(() => SAME)] })
  }

  add(a: T, b: T, act?: Activation): T {
    return this.binary('Add', a, b, act)
  }

  mul(a: T, b: T): T {
    return this.binary('Mul', a, b)
  }

  concat(inputs: readonly T[], axis = 1): T {
    const shape = [...this.shape(inputs[0] as T)]
    for (const x of inputs.slice(1)) {
      const other = this.shape(x)
      if (other.length !== shape.length || other.some((n, k) => k !== axis && n !== shape[k]))
        throw new Error(`${this.name}: cannot join ${shape} and ${other} along axis ${axis}`)
      shape[axis] = (shape[axis] ?? 0) + (other[axis] ?? 0)
    }
    const reads = shape.map((_, k) => (k === axis ? JOINED : SAME))
    // an input that is there twice is named once
    const apart = new Set(inputs).size === inputs.length
    return this.op('Concat', inputs, shape, apart ? { reads: [reads] } : {})
  }

  /** A fully connected layer over the last axis. first: of the first token alone, the rest is not read. */
  fc(x: T, features: number, o: { id?: string; act?: Activation; first?: boolean } = {}): T {
    const shape = this.shape(x)
    const weight = [features, shape[shape.length - 1] as number]
    const rows = o.first ? [this.batch] : shape.slice(0, -1)
    const reads = shape.map((_, k) => (k < rows.length && !(o.first && k > 0) ? SAME : ALL))
    return this.weighted('Gemm', x, weight, [...rows, features], { ...o, norm: false }, reads)
  }

  /** Ends in the average over space and a fully connected layer. */
  classify(x: T, classes = 1000): void {
    this.output(this.fc(this.globalPool(x), classes, { id: 'fc' }))
  }

  layerNorm(x: T, id?: string): T {
    const shape = this.shape(x)
    const own = this.take(id ?? 'LayerNormalization')
    const constants = ['scale', 'bias'].map((piece) => this.constant(own, piece, [shape[shape.length - 1] as number]))
    const reads = shape.map((_, k) => (k === shape.length - 1 ? ALL : SAME))
    return this.emit(own, 'LayerNormalization', [x, ...constants], shape, { reads: [reads] })
  }

  /** Over the last axis unless said. */
  softmax(x: T, axis = this.shape(x).length - 1): T {
    return this.op('Softmax', [x], this.shape(x), { reads: [this.shape(x).map((_, k) => (k === axis ? ALL : SAME))] })
  }

  /** A constant tensor by itself, such as the embeddings of positions. */
  learnt(id: string, shape: readonly number[]): T {
    return this.constant(this.take(id), 'weight', shape)
  }

  /**
   * Attention of heads: queries read from one tensor, keys and values from another, all [batch, tokens, width]. The heads are strides in
   * the projections' outputs, so splitting and joining them moves no data and makes no operator.
   */
  attention(queries: T, memory: T, heads: number): T {
    const [batch = 1, tokens = 1, width = 1] = this.shape(queries)
    const keys = this.shape(memory)[1] ?? 1
    const q = this.fc(queries, width, { id: 'query' })
    const k = this.fc(memory, width, { id: 'key' })
    const v = this.fc(memory, width, { id: 'value' })
    const products = [
      [SAME, follows(2), ALL],
      [SAME, follows(3), ALL],
    ]
    const scores = this.op('MatMul', [q, k], [batch, heads, tokens, keys], { id: 'scores', reads: products })
    const sums = [
      [SAME, ALL, follows(1), ALL],
      [SAME, ALL, SAME],
    ]
    const mixed = this.op('MatMul', [this.softmax(scores), v], [batch, tokens, width], { id: 'mix', reads: sums })
    return this.fc(mixed, width, { id: 'out' })
  }

  resize(x: T, space: readonly number[]): T {
    const reads = [SAME, SAME, ...this.space(x).map((n, k) => resized(n, space[k] as number))]
    return this.op('Resize', [x], [this.batch, this.channels(x), ...space], { reads: [reads] })
  }

  /** r² channels become r × r pixels of one. */
  pixelShuffle(x: T, r: number): T {
    const space = this.space(x).map((n) => n * r)
    const reads = [SAME, ALL, ...space.map(() => spread(r, r))]
    return this.op('DepthToSpace', [x], [this.batch, this.channels(x) / r ** space.length, ...space], {
      reads: [reads],
    })
  }

  /** Zeros in further channels. */
  padChannels(x: T, channels: number): T {
    const reads = this.shape(x).map(() => SAME)
    return this.op('Pad', [x], [this.batch, channels, ...this.space(x)], { reads: [reads] })
  }

  transpose(x: T, order: readonly number[]): T {
    const shape = this.shape(x)
    return this.op(
      'Transpose',
      [x],
      order.map((axis) => shape[axis] as number),
      { reads: [shape.map((_, axis) => follows(order.indexOf(axis)))] },
    )
  }

  /** The same bytes in another shape. */
  reshape(x: T, shape: readonly number[]): T {
    if (product(shape) !== product(this.shape(x)))
      throw new Error(`${this.name}: ${this.shape(x)} has not the elements of ${shape}`)
    const id = this.take('Reshape')
    const y = this.put(id, shape, {})
    this.ops.push({ id, type: 'Reshape', inputs: [x], outputs: [y], alias: [[y, x]] })
    return y
  }

  /** What has no method of its own. */
  op(type: string, inputs: readonly T[], shape: readonly number[], o: { id?: string } & Emitted = {}): T {
    return this.emit(this.take(o.id ?? type), type, inputs, shape, o)
  }

  space(x: T): number[] {
    return this.shape(x).slice(2)
  }

  // ---- inside --------------------------------------------------------------------------------------------------------------

  private tensor(x: T): Tensor {
    const tensor = this.tensors[x]
    if (!tensor) throw new Error(`${this.name}: there is no tensor ${x}`)
    return tensor
  }

  /** An id in the scope that nothing else has, and which is taken from now on. */
  private take(id: string): string {
    const free = this.free([...this.scopes, id].join('.'))
    this.ids.add(free)
    return free
  }

  private free(id: string): string {
    if (!this.ids.has(id)) return id
    let k = 2
    while (this.ids.has(`${id}_${k}`)) k++
    return `${id}_${k}`
  }

  private put(id: string, shape: readonly number[], kind: Kind, bytes = this.bytes): T {
    for (const axis of shape) count(`${this.name}: an axis of ${id}`, axis)
    const dtype = kind.constant && bytes === 4 && this.bytes === 1 ? 'int32' : dtypes[bytes]
    const all = product(shape) * bytes
    if (!Number.isSafeInteger(all)) throw new Error(`${this.name}: ${id} is too large: ${shape.join('×')} elements`)
    this.ids.add(id)
    return this.tensors.push({ id, bytes: all, kind, shape, ...(dtype && { dtype }) }) - 1
  }

  /** Whatever has two axes of space beside batch and channels. */
  private draw(id: string, shape: readonly number[], kind: Kind): T {
    const x = this.put(id, shape, kind)
    if (shape.length === 4) this.tensors[x] = { ...this.tensor(x), axes: 'NCHW' }
    return x
  }

  /** Adds the operator of an id that was taken, and its output of the same id. */
  private emit(
    id: string,
    type: string,
    inputs: readonly T[],
    shape: readonly number[],
    { inplace = [], reads }: Emitted = {},
  ): T {
    const y = type === 'MatMul' || type === 'Softmax' ? this.put(id, shape, {}) : this.draw(id, shape, {})
    const same = inplace.filter((x) => String(this.shape(x)) === String(shape))
    const pairs = [...new Set(same)].map((x) => [y, x] as const)
    this.ops.push({
      ...{ id, type, inputs: [...new Set(inputs)], outputs: [y] },
      ...(pairs.length > 0 && { inplace: pairs }),
      ...(reads && { windows: windowsText(reads) }),
    })
    return y
  }

  /** One number for each channel is kept in 32 bits beside 8-bit weights, as quantised models do. */
  private constant(owner: string, piece: string, shape: readonly number[]): T {
    const known = this.twin?.constants[this.twin.next++]
    if (known !== undefined) return known
    const bytes = this.bytes === 1 && piece !== 'weight' ? 4 : this.bytes
    const made = this.put(`${owner}.${piece}`, shape, { constant: true }, bytes)
    this.twin?.constants.push(made)
    return made
  }

  /** An operator with weights and a bias, and what normalisation and activations come before and after it. */
  private weighted(
    type: string,
    x: T,
    weight: readonly number[],
    shape: readonly number[],
    o: ConvOptions,
    reads: readonly string[],
  ): T {
    const normed = o.norm ?? true
    const bias = o.bias ?? !normed
    const read = o.pre && !this.fuse ? this.act(x, o.pre) : x
    const id = this.take(o.id ?? type)
    const inputs = [read, this.constant(id, 'weight', weight)]
    const features = type === 'Gemm' ? (shape[shape.length - 1] as number) : (shape[1] as number)
    if (bias || (normed && this.fuse)) inputs.push(this.constant(id, 'bias', [features]))
    if (this.fuse && o.act === 'PRelu') inputs.push(this.constant(id, 'slope', [o.slopes ?? features]))
    let y = this.emit(id, type, inputs, shape, { reads: [reads] })
    if (this.fuse) return y
    if (normed) y = this.norm(y)
    return o.act ? this.act(y, o.act, o.slopes) : y
  }

  private binary(type: string, a: T, b: T, act?: Activation): T {
    const [one, other] = [this.shape(a), this.shape(b)]
    const fits = one.length === other.length && one.every((n, k) => n === other[k] || n === 1 || other[k] === 1)
    if (!fits) throw new Error(`${this.name}: cannot ${type.toLowerCase()} ${one} and ${other}`)
    const shape = one.map((n, k) => Math.max(n, other[k] as number))
    const y = this.op(type, [a, b], shape, { inplace: [a, b], reads: [each(one, shape), each(other, shape)] })
    return act && !this.fuse ? this.act(y, act) : y
  }

  private every(x: T, value: Space): number[] {
    const axes = this.space(x).length
    if (typeof value === 'number') return Array<number>(axes).fill(value)
    if (value.length !== axes) throw new Error(`${this.name}: ${value} for ${axes} axes of space`)
    return [...value]
  }

  /** What of the space of x each element of such sizes is made of. */
  private windows(x: T, kernel: readonly number[], sizes: readonly number[], o: Window, dilation = 1): string[] {
    const stride = this.every(x, o.stride ?? 1)
    const pad = o.pad ?? 'half'
    return this.space(x).map((n, axis) => {
      const step = stride[axis] as number
      const reach = dilation * ((kernel[axis] as number) - 1) + 1
      const missing = Math.max(0, ((sizes[axis] as number) - 1) * step + reach - n)
      if (pad === 'same') return slide(reach, step, Math.floor(missing / 2))
      return slide(reach, step, pad === 'half' ? Math.floor((reach - 1) / 2) : (this.every(x, pad)[axis] as number))
    })
  }

  /** The sizes after a window has gone over the space of x. */
  private slide(x: T, kernel: number[], o: Window, dilation: number, ceil: boolean): number[] {
    const stride = this.every(x, o.stride ?? 1)
    const pad = o.pad ?? 'half'
    return this.space(x).map((n, axis) => {
      const step = stride[axis] as number
      const reach = dilation * ((kernel[axis] as number) - 1)
      if (pad === 'same') return Math.ceil(n / step)
      const side = pad === 'half' ? Math.floor(reach / 2) : (this.every(x, pad)[axis] as number)
      const room = (n + 2 * side - reach - 1) / step
      if (room < 0)
        throw new Error(
          `${this.name}: an input of size ${this.size} is too small, a window of ${reach + 1} is left with ${n}`,
        )
      const size = (ceil ? Math.ceil(room) : Math.floor(room)) + 1
      return ceil && (size - 1) * step >= n + side ? size - 1 : size
    })
  }
}
