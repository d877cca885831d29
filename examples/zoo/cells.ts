/**
 * Networks of searched cells. A cell has two inputs, the results of the two cells before it; each of its nodes adds two operations on
 * inputs or earlier nodes, and its result joins some of the nodes. DARTS: Liu et al. (ICLR 2019), quark0/darts:cnn/genotypes.py and
 * cnn/model.py, which has the cells of NASNet and AmoebaNet in the same notation. NASNet-A: Zoph et al. (CVPR 2018), 6 @ 4032, and
 * PNASNet-5: Liu et al. (ECCV 2018), both as in huggingface/pytorch-image-models:timm/models/nasnet.py and pnasnet.py. AmoebaNet-D: Real
 * et al. (AAAI 2019), kakaobrain/torchgpipe:benchmarks/models/amoebanet, 18 cells and 208 filters.
 */
import type { Net, T } from './build'

type Operation = (net: Net, x: T, channels: number, stride: number) => T

type Name = keyof typeof operations

/** A node: two operations, each on a state, added. States 0 and 1 are the cell's inputs, 2 and on its nodes. */
type Node = `${Name} ${number} + ${Name} ${number}`

interface Cell {
  nodes: readonly Node[]
  /** the states that are joined */
  join: readonly number[]
}

const readConv = (net: Net, x: T, channels: number, stride = 1) => net.conv(x, channels, 1, { stride, pre: 'Relu' })

/** Half of the size in two interleaved samples of the input, each for half of the channels. */
const interleaved: Operation = (net, x, channels) => {
  const half = { stride: 2, pre: 'Relu', norm: false, bias: net.fuse } as const
  const joined = net.concat([net.conv(x, channels / 2, 1, half), net.conv(x, channels / 2, 1, half)])
  return net.fuse ? joined : net.norm(joined)
}

/** The same with the samples taken by a pooling of one pixel. */
const pooledHalves: Operation = (net, x, channels) => {
  const read = net.fuse ? x : net.act(x, 'Relu')
  const one = () => {
    const sample = net.pool('Average', read, 1, { stride: 2 })
    return net.conv(sample, channels / 2, 1, { norm: false, bias: net.fuse })
  }
  const joined = net.concat([one(), one()])
  return net.fuse ? joined : net.norm(joined)
}

const separable =
  (kernel: number): Operation =>
  (net, x, channels, stride) => {
    const once = (y: T, step: number) => {
      const wide = net.depthwise(y, kernel, { stride: step, pre: 'Relu', norm: false, bias: false })
      return net.conv(wide, channels, 1)
    }
    return once(once(x, stride), 1)
  }

const dilated =
  (kernel: number): Operation =>
  (net, x, channels, stride) => {
    const wide = net.depthwise(x, kernel, { stride, dilation: 2, pre: 'Relu', norm: false, bias: false })
    return net.conv(wide, channels, 1)
  }

/** The same with each depthwise convolution and the pointwise one behind it as one layer. */
const joined =
  (kernel: number): Operation =>
  (net, x, channels, stride) =>
    net.separable(net.separable(x, channels, kernel, { stride, pre: 'Relu' }), channels, kernel, { pre: 'Relu' })

/** A pooling keeps the channels: where it must not, a convolution follows. */
const pool =
  (kind: 'Max' | 'Average', kernel: number): Operation =>
  (net, x, channels, stride) => {
    const y = net.pool(kind, x, kernel, { stride, pad: kernel === 2 ? 0 : 'half' })
    return net.channels(y) === channels ? y : net.conv(y, channels, 1)
  }

/** Through a quarter of the channels. */
const narrowed =
  (kernels: readonly (number | readonly [number, number])[]): Operation =>
  (net, x, channels, stride) => {
    let y = readConv(net, x, channels / 4)
    for (const kernel of kernels) {
      const step = typeof kernel === 'number' ? stride : kernel.map((k) => (k > 1 ? stride : 1))
      y = net.conv(y, channels / 4, kernel, { stride: step, pre: 'Relu' })
    }
    return readConv(net, y, channels)
  }

const operations = {
  join3: joined(3),
  join5: joined(5),
  join7: joined(7),
  joinDil3: (net, x, channels, stride) => net.separable(x, channels, 3, { stride, dilation: 2, pre: 'Relu' }),
  skip: (net, x, channels, stride) => (stride === 1 ? x : interleaved(net, x, channels, stride)),
  /* PNASNet's way to skip: a convolution where the size is halved */
  skipConv: (net, x, channels, stride) => (stride === 1 ? x : readConv(net, x, channels, stride)),
  avg3: pool('Average', 3),
  max3: pool('Max', 3),
  max2: pool('Max', 2),
  sep3: separable(3),
  sep5: separable(5),
  sep7: separable(7),
  dil3: dilated(3),
  conv1: readConv,
  conv7x1: (net, x, channels, stride) => {
    const y = net.conv(x, channels, [1, 7], { stride: [1, stride], pre: 'Relu', norm: false, bias: false })
    return net.conv(y, channels, [7, 1], { stride: [stride, 1] })
  },
  narrow3: narrowed([3]),
  narrow7: narrowed([
    [1, 7],
    [7, 1],
  ]),
} satisfies Record<string, Operation>

function cell(net: Net, inputs: readonly [T, T], channels: number, { nodes, join }: Cell, stride: number): T {
  const states: T[] = [...inputs]
  const apply = (term: string) => {
    const [name, state] = term.split(' ') as [Name, string]
    return operations[name](net, states[Number(state)] as T, channels, Number(state) < 2 ? stride : 1)
  }
  for (const node of nodes) {
    const [one, other] = node.split(' + ').map(apply) as [T, T]
    states.push(net.add(one, other))
  }
  return net.concat(join.map((state) => states[state] as T))
}

/** A cell's older input, brought to the size and channels of the newer one. */
function matched(net: Net, x: T, like: T, channels: number, halves: Operation): T {
  return String(net.space(x)) === String(net.space(like)) ? readConv(net, x, channels) : halves(net, x, channels, 2)
}

interface Genotype {
  normal: Cell
  reduce: Cell
}

/** The ImageNet network of DARTS: 48 channels, 14 cells of which the fifth and the tenth halve the size. */
function macroNet(net: Net, { normal, reduce }: Genotype): void {
  let channels = 48
  let before = net.conv(net.image(), channels / 2, 3, { id: 'stem0.conv1', stride: 2, act: 'Relu' })
  before = net.conv(before, channels, 3, { id: 'stem0.conv2', stride: 2 })
  let last = net.conv(before, channels, 3, { id: 'stem1', stride: 2, pre: 'Relu' })
  for (let k = 0; k < 14; k++) {
    const halve = k === 4 || k === 9
    if (halve) channels *= 2
    const next = net.in(`cell${k}`, () => {
      const old = matched(net, before, last, channels, interleaved)
      return cell(net, [old, readConv(net, last, channels)], channels, halve ? reduce : normal, halve ? 2 : 1)
    })
    before = last
    last = next
  }
  net.classify(last)
}

const secondOrder: Genotype = {
  normal: {
    nodes: ['sep3 0 + sep3 1', 'sep3 0 + sep3 1', 'sep3 1 + skip 0', 'skip 0 + dil3 2'],
    join: [2, 3, 4, 5],
  },
  reduce: {
    nodes: ['max3 0 + max3 1', 'skip 2 + max3 1', 'max3 0 + skip 2', 'skip 2 + max3 1'],
    join: [2, 3, 4, 5],
  },
}

/** The second order's cells, which the paper reports. */
export const darts_v2 = (net: Net) => macroNet(net, secondOrder)

/** The same cells with each depthwise convolution and the pointwise one behind it as one layer, as Keras has them. */
const inLayers = ({ normal, reduce }: Genotype): Genotype => {
  const layers = ({ nodes, join }: Cell): Cell => ({
    nodes: nodes.map((node) => node.replace(/sep(?=\d)/g, 'join').replace(/dil(?=\d)/g, 'joinDil')) as Node[],
    join,
  })
  return { normal: layers(normal), reduce: layers(reduce) }
}

/** The network of DARTS for CIFAR-10: 36 channels, 20 cells of which the seventh and the fourteenth halve the size. */
export function darts_cifar(net: Net): void {
  const { normal, reduce } = inLayers(secondOrder)
  let channels = 36
  let before = net.conv(net.image(), 3 * channels, 3, { id: 'stem' })
  let last = before
  for (let k = 0; k < 20; k++) {
    const halve = k === 6 || k === 13
    if (halve) channels *= 2
    const next = net.in(`cell${k}`, () => {
      const old = matched(net, before, last, channels, interleaved)
      return cell(net, [old, readConv(net, last, channels)], channels, halve ? reduce : normal, halve ? 2 : 1)
    })
    before = last
    last = next
  }
  net.classify(last, 10)
}

/** The first order's cells. */
export const darts_v1 = (net: Net) =>
  macroNet(net, {
    normal: {
      nodes: ['sep3 1 + sep3 0', 'skip 0 + sep3 1', 'skip 0 + sep3 1', 'sep3 0 + skip 2'],
      join: [2, 3, 4, 5],
    },
    reduce: {
      nodes: ['max3 0 + max3 1', 'skip 2 + max3 0', 'max3 0 + skip 2', 'skip 2 + avg3 0'],
      join: [2, 3, 4, 5],
    },
  })

const nasnet: { normal: readonly Node[]; reduce: readonly Node[] } = {
  normal: ['sep5 1 + sep3 0', 'sep5 0 + sep3 0', 'avg3 1 + skip 0', 'avg3 0 + avg3 0', 'sep3 1 + skip 1'],
  reduce: ['sep5 1 + sep7 0', 'max3 1 + sep7 0', 'avg3 1 + sep5 0', 'skip 3 + avg3 2', 'sep3 2 + max3 1'],
}

export const darts_nasnet = (net: Net) =>
  macroNet(net, {
    normal: { nodes: nasnet.normal, join: [2, 3, 4, 5, 6] },
    reduce: { nodes: nasnet.reduce, join: [4, 5, 6] },
  })

export const darts_amoebanet = (net: Net) =>
  macroNet(net, {
    normal: {
      nodes: ['avg3 0 + max3 1', 'sep3 0 + sep5 2', 'sep3 0 + avg3 3', 'sep3 1 + skip 1', 'skip 0 + avg3 1'],
      join: [4, 5, 6],
    },
    reduce: {
      nodes: ['avg3 0 + sep3 1', 'max3 0 + sep7 2', 'sep7 0 + avg3 1', 'max3 0 + max3 1', 'conv7x1 0 + sep3 5'],
      join: [3, 4, 6],
    },
  })

interface Large {
  /** channels of the first convolution, and of the first stack */
  stem: number
  channels: number
  /** of a stack */
  cells: number
  /** whether a cell of its own halves the size in front of a stack */
  own: boolean
  /** as keras-applications has it: the first cell's older input, the stem like the newer one, has a convolution of its own */
  keras?: boolean
}

/**
 * Stem, two halving cells at a quarter and half of the channels, and three stacks of cells at 1, 2 and 4 times the channels. In front of
 * the second and third stack the size is halved: by a cell of its own or by the first of the stack.
 */
function largeNet(net: Net, { normal, reduce }: Genotype, { stem, channels, cells, own, keras }: Large): void {
  const conv0 = net.conv(net.image(), stem, 3, { id: 'conv0', stride: 2, pad: 0 })
  let before = conv0
  let last = net.in('stem0', () => {
    const old = keras ? readConv(net, conv0, channels / 4) : conv0
    return cell(net, [old, readConv(net, conv0, channels / 4)], channels / 4, reduce, 2)
  })
  const next = (name: string, width: number, halve: boolean) => {
    const result = net.in(name, () => {
      const old = matched(net, before, last, width, keras ? interleaved : pooledHalves)
      return cell(net, [old, readConv(net, last, width)], width, halve ? reduce : normal, halve ? 2 : 1)
    })
    before = last
    last = result
  }
  next('stem1', channels / 2, true)
  for (let stack = 0; stack < 3; stack++) {
    const width = channels * 2 ** stack
    if (own && stack > 0) next(`reduction${stack}`, width, true)
    for (let k = 0; k < cells; k++) next(`cell${stack}.${k}`, width, !own && stack > 0 && k === 0)
  }
  net.classify(net.fuse ? last : net.act(last, 'Relu'))
}

const nasnetA: Genotype = {
  normal: { nodes: nasnet.normal, join: [0, 2, 3, 4, 5, 6] },
  reduce: { nodes: nasnet.reduce, join: [3, 4, 5, 6] },
}

export const nasnet_a_large = (net: Net) => largeNet(net, nasnetA, { stem: 96, channels: 168, cells: 6, own: true })

/** 4 @ 1056: N = 4. Separable convolutions are layers. */
export const nasnet_a_mobile = (net: Net) =>
  largeNet(net, inLayers(nasnetA), { stem: 32, channels: 44, cells: 4, own: true, keras: true })

const pnasnet: Cell = {
  nodes: ['sep5 0 + max3 0', 'sep7 1 + max3 1', 'sep5 1 + sep3 1', 'sep3 4 + max3 1', 'sep3 0 + skipConv 1'],
  join: [2, 3, 4, 5, 6],
}

export const pnasnet5_large = (net: Net) =>
  largeNet(net, { normal: pnasnet, reduce: pnasnet }, { stem: 96, channels: 216, cells: 4, own: false })

/** States are the other way round: 0 is the newer input. The join of normal cells is that of the authors' program. */
const amoebanet: Genotype = {
  normal: {
    nodes: ['conv1 1 + max3 1', 'skip 1 + narrow7 0', 'conv1 0 + narrow7 0', 'max3 2 + skip 2', 'avg3 1 + conv1 5'],
    join: [0, 3, 4, 6],
  },
  reduce: {
    nodes: ['max2 0 + max3 0', 'skip 2 + narrow3 1', 'narrow7 2 + max3 2', 'skip 3 + max2 1', 'avg3 2 + conv1 3'],
    join: [4, 5, 6],
  },
}

export function amoebanet_d(net: Net): void {
  let channels = 208 / 4
  const stem = net.conv(net.image(), channels, 3, { id: 'stem1', stride: 2, pre: 'Relu' })
  let before = stem
  let last = stem
  const next = (name: string, halve: boolean) => {
    if (halve) channels *= 2
    const result = net.in(name, () => {
      const newer = readConv(net, last, channels)
      const same = String(net.shape(before)) === String(net.shape(newer))
      const older = same ? before : matched(net, before, last, channels, interleaved)
      return cell(net, [newer, older], channels, halve ? amoebanet.reduce : amoebanet.normal, halve ? 2 : 1)
    })
    before = last
    last = result
  }
  next('stem2', true)
  next('stem3', true)
  for (let stack = 1; stack <= 3; stack++) {
    if (stack > 1) next(`reduction${stack}`, true)
    for (let k = 0; k < 6; k++) next(`cell${stack}.${k}`, false)
  }
  net.classify(last)
}
