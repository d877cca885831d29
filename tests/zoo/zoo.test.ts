/** The zoo against what is published of its networks, and its sentences against the core's greedy solver. */
import { describe, expect, it } from 'vitest'
import type { Graph, Tensor } from '../../web/src/import/graph'
import { type Entry, entryOf, generate, type Options, zoo } from '../../examples/zoo'
import { solveJson } from '../cli/command'
import { type Buffer, lower, peak } from './lower'

const graphOf = (id: string, options: Options = {}) => generate(entryOf(id) as Entry, options)
const elements = ({ shape = [] }: Tensor) => shape.reduce((all, n) => all * n, 1)

/** What is learnt: the running mean and variance of normalisation are not. */
const learnt = (graph: Graph) =>
  graph.tensors.filter((tensor) => tensor.kind.constant && !/\.(mean|variance)$/.test(tensor.id))

/** Parameters as published, normalisation kept apart. */
const published: [string, number, string][] = [
  ['mobilenet_v1', 4_253_864 - 21_888, 'keras-applications, without the running statistics'],
  ['mobilenet_v2', 3_504_872, 'torchvision'],
  ['mnasnet1_3', 6_282_256, 'torchvision'],
  ['squeezenet1_0', 1_248_424, 'torchvision'],
  ['squeezenet1_1', 1_235_496, 'torchvision'],
  ['resnet50', 25_557_032, 'torchvision'],
  ['resnet152', 60_192_808, 'torchvision'],
  ['resnext50', 25_028_904, 'torchvision'],
  [
    'resnet50_fpn',
    25_557_032 - 2_049_000 + 3_344_384,
    'torchvision, without the classifier, with its pyramid of 256 channels',
  ],
  ['resnetv2_101', 44_675_560 - 97_664, 'keras-applications, without the running statistics'],
  ['densenet121', 7_978_856, 'torchvision'],
  ['inception_v3', 27_161_264 - 3_326_696, 'torchvision, without the auxiliary classifier'],
  ['inception_v4', 42_679_816, 'timm'],
  ['inception_resnet_v2', 55_843_464, 'timm'],
  ['unet', 31_037_698, 'milesial/Pytorch-UNet, two classes'],
  ['srgan', 734_219, 'leftthomas/SRGAN'],
  ['openpose', 52_311_446, 'the COCO model'],
  ['fcn_resnet50', 35_322_218 - 2_365_205, 'torchvision, without the auxiliary classifier'],
  ['deeplabv3_resnet50', 42_004_074 - 2_365_205, 'torchvision, without the auxiliary classifier'],
  ['lraspp_mobilenetv3', 3_221_538, 'torchvision'],
  ['r2plus1d_18', 31_505_325, 'torchvision'],
  ['s3d', 8_320_048, 'torchvision'],
  ['transformer', 44_140_544, 'torch.nn.Transformer'],
  ['vit_b_16', 86_567_656, 'torchvision'],
  ['nasnet_a_large', 88_753_150, 'timm'],
  ['pnasnet5_large', 86_057_668, 'timm'],
]

describe('a training step', () => {
  const step = (id: string, options: Options = {}) => graphOf(id, { ...options, training: true })

  it('of FSRCNN: its gradients backwards, each weight updated when its gradient is whole', async () => {
    const { ops, tensors } = await step('fsrcnn')
    const forward = (await graphOf('fsrcnn', { fuse: false })).ops.map(({ id }) => id)
    expect(ops.slice(0, forward.length).map(({ id }) => id)).toEqual(forward)
    const [loss, ...back] = ops.slice(forward.length)
    expect(loss?.type).toBe('Loss')
    const gradients = back.filter(({ type }) => type !== 'Update').map(({ id }) => id)
    expect(gradients).toEqual(forward.toReversed().map((id) => `${id}.grad`))
    const idsOf = (list: readonly number[] = []) => list.map((k) => tensors[k]?.id)
    // the activation's gradient reads what it read, so that its operator was not in place after all
    const act = ops.find(({ id }) => id === 'PRelu_2.grad')
    expect(idsOf(act?.inputs)).toEqual(['PRelu_2.grad', 'Conv_2', 'PRelu_2.slope'])
    expect(idsOf(act?.outputs)).toEqual(['Conv_2.grad', 'PRelu_2.slope.grad'])
    // of the picture nobody wants one
    expect(idsOf(ops.find(({ id }) => id === 'Conv.grad')?.outputs)).toEqual(['Conv.weight.grad', 'Conv.bias.grad'])
  })

  it.each(['resnet50', 'inception_v3', 'vit_b_16', 'stereonet', 'unet', 'nasnet_a_mobile'])(
    '%s: a gradient as large as each of what is learnt, and one update of each',
    async (id) => {
      const graph = await step(id)
      const { tensors, ops } = graph
      const updates = ops.filter(({ type }) => type === 'Update')
      expect(updates.map(({ inputs: [weight = -1] }) => tensors[weight]?.id).sort()).toEqual(
        learnt(graph)
          .map((tensor) => tensor.id)
          .sort(),
      )
      for (const { inputs } of updates) {
        const [weight, gradient] = inputs.map((k) => tensors[k])
        expect(gradient?.bytes).toBe(weight?.bytes)
      }
      // what is read has been made before, and of each sum both sides
      const made = new Set<number>()
      for (const { type, inputs, outputs } of ops) {
        for (const k of inputs) {
          const { input, constant } = tensors[k]?.kind ?? {}
          expect(made.has(k) || input === true || constant === true).toBe(true)
        }
        if (type === 'Add' && inputs.length === 2 && tensors[outputs[0] ?? -1]?.id.includes('.grad.sum'))
          expect(new Set(inputs.map((k) => tensors[k]?.bytes)).size).toBe(1)
        for (const k of outputs) made.add(k)
      }
      // both pictures of StereoNet go through one set of weights, whose parts are added up
      expect(ops.some(({ id: name }) => name.endsWith('.weight.grad.add'))).toBe(id === 'stereonet')
    },
  )

  it('waits with its activations, so that its peak is many times that of inference', async () => {
    const [inference, training] = [await graphOf('resnet50'), await step('resnet50')]
    expect(peak(lower(training)).load).toBeGreaterThan(5 * peak(lower(inference)).load)
  })
})

describe('parameters', () => {
  it.each(published)('%s: %d (%s)', async (id, expected) => {
    const graph = await graphOf(id, { fuse: false })
    expect(learnt(graph).reduce((sum, tensor) => sum + elements(tensor), 0)).toBe(expected)
  })

  it.each([
    ['darts_v2', 4.7, 1],
    ['darts_cifar', 3.3, 1],
    ['amoebanet_d', 82, 0],
    ['nasnet_a_mobile', 5.3, 1],
  ])('%s: %d million, as its paper rounds', async (id, millions, digits) => {
    const sum = learnt(await graphOf(id, { fuse: false })).reduce((all, tensor) => all + elements(tensor), 0)
    expect(Number((sum / 1e6).toFixed(digits))).toBe(millions)
  })

  it('separable convolutions of one layer are two when nothing is fused', async () => {
    const types = async (fuse: boolean) => (await graphOf('nasnet_a_mobile', { fuse })).ops.map((op) => op.type)
    const many = (list: string[], type: string) => list.filter((one) => one === type).length
    const [fused, plain] = [await types(true), await types(false)]
    expect([many(fused, 'SeparableConv'), many(fused, 'DepthwiseConv')]).toEqual([160, 0])
    expect([many(plain, 'SeparableConv'), many(plain, 'DepthwiseConv')]).toEqual([0, 160])
  })

  it('fsrcnn: 12464 weights, as its paper counts', async () => {
    const weights = learnt(await graphOf('fsrcnn')).filter((tensor) => tensor.id.endsWith('.weight'))
    expect(weights.reduce((sum, tensor) => sum + elements(tensor), 0)).toBe(12464)
  })

  it('stereonet: both pictures go through one set of weights', async () => {
    const block = 2 * (32 * 32 * 9 + 64)
    const tower = 32 * 3 * 25 + 2 * 32 * 32 * 25 + 3 * 32 + 6 * block + 32 * 32 * 9 + 32
    const volume = 4 * (32 * 32 * 27 + 32 + 64) + 32 * 27 + 1
    const refinement = 32 * 4 * 9 + 32 + 6 * block + 32 * 9 + 1
    const graph = await graphOf('stereonet', { fuse: false })
    expect(learnt(graph).reduce((sum, tensor) => sum + elements(tensor), 0)).toBe(tower + volume + 3 * refinement)
    const readers = graph.ops.filter((op) => op.inputs.some((k) => graph.tensors[k]?.id === 'left.Conv.weight'))
    expect(readers.map((op) => op.id)).toEqual(['left.Conv', 'right.Conv'])
  })

  it('folded into convolutions, normalisation leaves a bias for each channel', async () => {
    const graph = await graphOf('resnet50')
    expect(learnt(graph).reduce((sum, tensor) => sum + elements(tensor), 0)).toBe(25_557_032 - 26_560)
    expect(graph.tensors.find((tensor) => tensor.id === 'conv1.bias')).toMatchObject({ bytes: 256, dtype: 'int32' })
  })
})

/** The shapes of the results, in the order of the tensors. */
const results: [string, number[][]][] = [
  [
    'resnet50_fpn',
    [
      [1, 256, 7, 7],
      [1, 256, 14, 14],
      [1, 256, 28, 28],
      [1, 256, 56, 56],
      [1, 256, 4, 4],
    ],
  ],
  [
    'blazeface',
    [
      [1, 896, 1],
      [1, 896, 16],
    ],
  ],
  ['openpose', [[1, 57, 46, 46]]],
  ['stereonet', [[1, 1, 256, 256]]],
  ['unet', [[1, 2, 256, 256]]],
  ['srgan', [[1, 3, 512, 512]]],
  ['fsrcnn', [[1, 1, 512, 512]]],
  ['fcn_resnet50', [[1, 21, 520, 520]]],
  ['deeplabv3_resnet50', [[1, 21, 520, 520]]],
  ['lraspp_mobilenetv3', [[1, 21, 520, 520]]],
  ['transformer', [[32, 20, 512]]],
  ['r2plus1d_18', [[1, 400]]],
  ['s3d', [[1, 400]]],
  ['darts_cifar', [[1, 10]]],
]

/** Shapes on the way, at operators that the sources comment on. */
const onTheWay: [string, string, number[]][] = [
  ['inception_v3', '5d.Concat', [1, 288, 35, 35]],
  ['inception_v3', '6e.Concat', [1, 768, 17, 17]],
  ['inception_v3', '7c.Concat_3', [1, 2048, 8, 8]],
  ['inception_v4', '7a.Concat', [1, 1536, 8, 8]],
  ['inception_resnet_v2', '6a.Concat', [1, 1088, 17, 17]],
  ['inception_resnet_v2', '7a.Concat', [1, 2080, 8, 8]],
  ['pnasnet5_large', 'cell2.3.Concat', [1, 4320, 11, 11]],
  ['nasnet_a_large', 'cell2.5.Concat', [1, 4032, 11, 11]],
  ['squeezenet1_1', 'conv10', [1, 1000, 13, 13]],
  ['deeplabv3_resnet50', 'layer4.2.Add', [1, 2048, 65, 65]],
  ['blazeface', 'block11.Add', [1, 88, 16, 16]],
  ['blazeface', 'block16.Add', [1, 96, 8, 8]],
  ['vit_b_16', 'tokens', [1, 197, 768]],
]

describe('shapes', () => {
  it.each(results)('%s gives %j', async (id, expected) => {
    const { tensors } = await graphOf(id)
    expect(tensors.filter((tensor) => tensor.kind.output).map((tensor) => tensor.shape)).toEqual(expected)
  })

  it.each(onTheWay)('%s: %s is %j', async (id, tensor, expected) => {
    const { tensors } = await graphOf(id)
    expect(tensors.find((one) => one.id === tensor)?.shape).toEqual(expected)
  })

  it('every other network ends in one row of 1000 classes', async () => {
    const said = new Set(results.map(([id]) => id))
    for (const entry of zoo.filter(({ id }) => !said.has(id))) {
      const { tensors } = await generate(entry, { batch: 2 })
      expect([entry.id, ...tensors.filter((t) => t.kind.output).map((t) => t.shape)]).toEqual([entry.id, [2, 1000]])
    }
  })
})

/** All that graph.ts promises, and that shapes, data types and bytes agree. */
function faults({ tensors, ops }: Graph): string[] {
  const found: string[] = []
  const say = (wrong: boolean, text: string) => wrong && found.push(text)
  const widths: Record<string, number> = { int8: 1, float16: 2, float32: 4, int32: 4 }
  for (const list of [tensors, ops]) say(new Set(list.map(({ id }) => id)).size < list.length, 'ids are not unique')
  const there = new Set(tensors.flatMap(({ kind }, k) => (kind.input || kind.constant ? [k] : [])))
  const used = new Set<number>()
  for (const tensor of tensors) {
    say(tensor.id.length > 255, `${tensor.id} is too long`)
    say(tensor.bytes !== elements(tensor) * (widths[tensor.dtype ?? ''] ?? 0), `${tensor.id}: ${tensor.bytes} bytes`)
  }
  for (const op of ops) {
    for (const k of op.inputs) {
      used.add(k)
      say(!there.has(k), `${op.id} reads what is not there`)
    }
    for (const k of op.outputs) {
      say(there.has(k), `${op.id} makes what is there`)
      there.add(k)
    }
    for (const [out, from] of [...(op.inplace ?? []), ...(op.alias ?? [])]) {
      say(!op.outputs.includes(out) || !op.inputs.includes(from), `${op.id}: a pair of others`)
      say(tensors[out]?.bytes !== tensors[from]?.bytes, `${op.id}: a pair of different sizes`)
    }
  }
  tensors.forEach((tensor, k) => {
    say(!there.has(k), `${tensor.id} is never made`)
    say(!used.has(k) && !tensor.kind.output, `${tensor.id} is made for nobody`)
  })
  return found
}

describe('graphs', () => {
  it.each(zoo)('$id is sound under every option', async (entry) => {
    const variants: Options[] = [{}, { fuse: false }, { bytes: 4, batch: 3 }, { bytes: 2, fuse: false, weights: false }]
    for (const options of [...variants, { first: 3, last: 7 }, { first: 2, weights: false }, entry.show?.options ?? {}])
      expect(faults(await generate(entry, options))).toEqual([])
  })

  it('more elements and wider ones take more bytes', async () => {
    const sum = ({ tensors }: Graph) => tensors.reduce((all, t) => all + (t.kind.constant ? 0 : t.bytes), 0)
    const one = sum(await graphOf('resnet50'))
    expect(sum(await graphOf('resnet50', { batch: 4 }))).toBe(4 * one)
    expect(sum(await graphOf('resnet50', { bytes: 2 }))).toBe(2 * one)
  })

  it('what is not fused is there by itself, and may be done in place', async () => {
    const types = async (fuse: boolean) => (await graphOf('resnet50', { fuse })).ops.map((op) => op.type)
    const many = (list: string[], type: string) => list.filter((one) => one === type).length
    const [fused, plain] = [await types(true), await types(false)]
    expect(['BatchNormalization', 'Relu'].map((type) => many(fused, type))).toEqual([0, 0])
    expect(['BatchNormalization', 'Relu'].map((type) => many(plain, type))).toEqual([53, 49])
    const { ops } = await graphOf('resnet50', { fuse: false })
    for (const op of ops.filter((one) => ['BatchNormalization', 'Relu'].includes(one.type)))
      expect(op.inplace).toEqual([[op.outputs[0], op.inputs[0]]])
    for (const op of ops.filter((one) => one.type === 'Add')) expect(op.inplace).toHaveLength(2)
  })

  it('without weights no constant is left', async () => {
    const { tensors, ops } = await graphOf('mobilenet_v1', { weights: false })
    expect(tensors).toHaveLength(30)
    expect(ops.every((op) => op.inputs.length === 1)).toBe(true)
  })

  it('cut tensors become inputs and outputs', async () => {
    const { tensors, ops } = await graphOf('resnet50', {
      first: 'layer1.0.conv2',
      last: 'layer1.1.conv1',
      weights: false,
    })
    expect(ops.map((op) => op.id)).toEqual(
      ['0.conv2', '0.conv3', '0.downsample', '0.Add', '1.conv1'].map((name) => `layer1.${name}`),
    )
    const which = (end: 'input' | 'output') => tensors.filter((t) => t.kind[end]).map((t) => t.id)
    expect(which('input')).toEqual(['MaxPool', 'layer1.0.conv1'])
    expect(which('output')).toEqual(['layer1.0.Add', 'layer1.1.conv1'])
    /* what is read inside the part and behind it has to outlive the part */
    const one = await graphOf('resnet50', { first: 'layer1.0.conv1', last: 'layer1.0.conv1', weights: false })
    expect(one.tensors.map((t) => [t.id, t.kind])).toEqual([
      ['MaxPool', { input: true, output: true }],
      ['layer1.0.conv1', { output: true }],
    ])
  })

  it.each<[string, Options, RegExp]>([
    ['resnet50', { size: 0 }, /^size: expected a whole number of at least 1, found 0/],
    ['resnet50', { batch: 1.5 }, /^batch: expected a whole number of at least 1, found 1.5/],
    ['resnet50', { bytes: 3 }, /^bytes: expected 1, 2 or 4, found 3/],
    ['inception_v3', { size: 20 }, /^inception_v3: an input of size 20 is too small/],
    ['unet', { size: 2 ** 26 }, /^unet: input is too large: 1×3×67108864×67108864 elements/],
    ['resnet50', { first: 'conv9' }, /^first: resnet50 has no operator conv9/],
    ['resnet50', { last: 72 }, /^last: resnet50 has no operator 72: it has 0 to 71/],
    ['resnet50', { first: 5, last: 4 }, /^first: operator 5 comes after the last, 4/],
  ])('%s with %o is refused', async (id, options, message) => {
    await expect(graphOf(id, options)).rejects.toThrow(message)
  })
})

/** The core's solvers by the names that the sentences call them. */
const planners: Record<string, string[]> = {
  LiteRT: ['--solver=litert'],
  'TFLite Micro': ['--solver=tflm'],
  'greedy by size': ['--solver=greedy', '--order=size'],
  'greedy by start time': ['--solver=greedy', '--order=start'],
}
const one = `(?:${Object.keys(planners).join('|')})`
const some = `(${one}(?:, ${one})*(?: and ${one})?)`
const named = (text: string) =>
  [...text.matchAll(new RegExp(one, 'gi'))].map(([name]) => name.replace('Greedy', 'greedy'))

const text = (buffers: readonly Buffer[]) =>
  ['id,lower,upper,size', ...buffers.map((b, k) => `b${k},${b.lower},${b.upper},${b.size}`), ''].join('\n')

/** The heights of planners above the load, in per cent with one digit, once each if they are the same. */
function missed(buffers: readonly Buffer[], names: readonly string[]): string {
  const roomy = `--capacity=${buffers.reduce((sum, b) => sum + b.size, 0)}`
  const heights = names.map(
    (name) => solveJson([...(planners[name] ?? []), roomy, '-'], text(buffers)).height as number,
  )
  return [...new Set(heights.map((height) => ((100 * height) / peak(buffers).load - 100).toFixed(1)))].join(' and ')
}

interface Given {
  graph: Graph
  buffers: Buffer[]
  entry: Entry
}

/** What a sentence may say, and what then must be so. Figures that nothing here checks are not allowed. */
const claims: [RegExp, (said: string[], given: Given) => void][] = [
  [
    new RegExp(`${some} miss(?:es)? (?:the lower bound|it) by ([\\d.]+) %`, 'i'),
    ([who = '', x], { buffers }) => expect(missed(buffers, named(who))).toBe(x),
  ],
  [
    new RegExp(`${some} reach(?:es)? (?:the lower bound|it)`, 'i'),
    ([who = ''], { buffers }) => expect(missed(buffers, named(who))).toBe('0.0'),
  ],
  [
    /without weights they reach it/,
    (_, { graph, entry }) => expect(missed(lower(graph), named(entry.text))).toBe('0.0'),
  ],
  [/(\d+) tensors (?:that )?are alive/, ([n], { buffers }) => expect(peak(buffers).live).toBe(Number(n))],
  [/From operator (\d+) on/, ([n], { entry }) => expect(entry.show?.options?.first).toBe(Number(n))],
  [/weights loaded (\d+) operators ahead/, ([n], { entry }) => expect(entry.show?.prefetch).toBe(Number(n))],
  [/in the stem/, (_, { graph, buffers }) => expect(graph.ops[peak(buffers).at]?.id).toMatch(/^stem/)],
  [/in the first cell/, (_, { graph, buffers }) => expect(graph.ops[peak(buffers).at]?.id).toMatch(/^stem0\./)],
  [
    /when the pyramid makes its last addition/,
    (_, { graph, buffers }) => expect(peak(buffers).at).toBe(graph.ops.map((op) => op.type).lastIndexOf('Add')),
  ],
]

describe('sentences', () => {
  it('there is one of each network, and those that planners miss come first', () => {
    expect(new Set(zoo.map(({ id }) => id)).size).toBe(zoo.length)
    expect(new Set(zoo.map(({ title }) => title)).size).toBe(zoo.length)
    const shown = zoo.map(({ show }) => show !== undefined)
    expect(shown.lastIndexOf(true)).toBeLessThan(shown.indexOf(false))
    expect(zoo.slice(0, 4).map(({ id }) => id)).toEqual(['resnet50_fpn', 'darts_v2', 'pnasnet5_large', 'resnet50'])
  })

  it.each(zoo)('$id: $text', async (entry) => {
    const graph = await generate(entry, entry.show?.options)
    const prefetch = entry.show?.prefetch
    const buffers = lower(graph, prefetch === undefined ? {} : { prefetch })
    let rest = entry.text
    for (const [pattern, check] of claims)
      for (let said = pattern.exec(rest); said; said = pattern.exec(rest)) {
        check(said.slice(1), { graph, buffers, entry })
        rest = rest.replace(pattern, '')
      }
    expect(rest).toMatch(/^[^\d]*\.$/)
    expect(rest).not.toMatch(/miss|reach/)
    expect(solveJson(['--solver=exact', `--capacity=${peak(buffers).load}`, '-'], text(buffers)).outcome).toBe(
      'optimal',
    )
    if (!entry.show) return
    const shown = Object.keys(planners).find(
      (name) => planners[name]?.[0] === `--solver=${entry.show?.solver}`,
    ) as string
    expect(Number(missed(buffers, [shown]))).toBeGreaterThan(0)
    expect(named(entry.text)).toContain(shown)
  })
})
