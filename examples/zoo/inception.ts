/**
 * Inception networks. v3: Szegedy et al., Rethinking the Inception Architecture (CVPR 2016), without its auxiliary classifier, in the order
 * of pytorch/vision:torchvision/models/inception.py. v4 and Inception-ResNet v2: Szegedy et al. (AAAI 2017), as in
 * huggingface/pytorch-image-models:timm/models/inception_v4.py and inception_resnet_v2.py.
 */
import type { Net, T } from './build'

/**
 * The convolutions of a branch, as channels:kernel, both of whose sides are the same unless they are said, and /2 for the stride. At
 * stride 2 and with a v (valid) nothing is padded.
 */
type Layer = `${number}:${number}${'' | `x${number}`}${'' | '/2' | 'v'}`

function conv(net: Net, x: T, layer: Layer): T {
  const [, channels, height, width, mark] = /^(\d+):(\d+)(?:x(\d+))?(\/2|v)?$/.exec(layer) as RegExpExecArray
  return net.conv(x, Number(channels), [Number(height), Number(width ?? height)], {
    stride: mark === '/2' ? 2 : 1,
    pad: mark ? 0 : 'half',
    act: 'Relu',
  })
}

const chain = (net: Net, x: T, branch: string) =>
  (branch.split(' ') as Layer[]).reduce((y, layer) => conv(net, y, layer), x)

const average = (net: Net, x: T) => net.pool('Average', x, 3)
const halve = (net: Net, x: T) => net.pool('Max', x, 3, { stride: 2, pad: 0 })

/** Branches in the order given, and at last what is pooled: followed by a convolution, or halved. */
function mixed(net: Net, x: T, branches: readonly string[], pooled: Layer | 'halved'): T {
  const results = branches.map((branch) => chain(net, x, branch))
  results.push(pooled === 'halved' ? halve(net, x) : conv(net, average(net, x), pooled))
  return net.concat(results)
}

/** A convolution by itself, two branches that each end in a 1×3 and a 3×1 convolution side by side, and what is pooled. */
function forked(net: Net, x: T, alone: Layer, branches: readonly string[], channels: number, pooled: Layer): T {
  const results = [conv(net, x, alone)]
  for (const branch of branches) {
    const y = chain(net, x, branch)
    results.push(net.concat([conv(net, y, `${channels}:1x3`), conv(net, y, `${channels}:3x1`)]))
  }
  return net.concat([...results, conv(net, average(net, x), pooled)])
}

/** Runs a block under its name, on the result of the one before. */
function blocks(net: Net, start: T) {
  let y = start
  return {
    add: (name: string, build: (x: T) => T) => {
      y = net.in(name, () => build(y))
    },
    result: () => y,
  }
}

const stem = (net: Net) => chain(net, net.image(), '32:3/2 32:3v 64:3')

/** The stem that v3 and Inception-ResNet v2 share. */
const longStem = (net: Net) => halve(net, chain(net, halve(net, stem(net)), '80:1 192:3v'))

export function inception_v3(net: Net): void {
  const { add, result } = blocks(net, longStem(net))
  for (const name of ['5b', '5c', '5d'])
    add(name, (x) => mixed(net, x, ['64:1', '48:1 64:5', '64:1 96:3 96:3'], name === '5b' ? '32:1' : '64:1'))
  add('6a', (x) => mixed(net, x, ['384:3/2', '64:1 96:3 96:3/2'], 'halved'))
  const widths = { '6b': 128, '6c': 160, '6d': 160, '6e': 192 }
  for (const [name, w] of Object.entries(widths)) {
    const long = `${w}:1 ${w}:7x1 ${w}:1x7 ${w}:7x1 192:1x7`
    add(name, (x) => mixed(net, x, ['192:1', `${w}:1 ${w}:1x7 192:7x1`, long], '192:1'))
  }
  add('7a', (x) => mixed(net, x, ['192:1 320:3/2', '192:1 192:1x7 192:7x1 192:3/2'], 'halved'))
  for (const name of ['7b', '7c']) add(name, (x) => forked(net, x, '320:1', ['384:1', '448:1 384:3'], 384, '192:1'))
  net.classify(result())
}

export function inception_v4(net: Net): void {
  const { add, result } = blocks(net, stem(net))
  add('3a', (x) => net.concat([halve(net, x), conv(net, x, '96:3/2')]))
  add('4a', (x) => net.concat(['64:1 96:3v', '64:1 64:1x7 64:7x1 96:3v'].map((branch) => chain(net, x, branch))))
  add('5a', (x) => mixed(net, x, ['192:3/2'], 'halved'))
  for (let k = 0; k < 4; k++) add(`a${k}`, (x) => mixed(net, x, ['96:1', '64:1 96:3', '64:1 96:3 96:3'], '96:1'))
  add('6a', (x) => mixed(net, x, ['384:3/2', '192:1 224:3 256:3/2'], 'halved'))
  const long = '192:1 192:7x1 224:1x7 224:7x1 256:1x7'
  for (let k = 0; k < 7; k++) add(`b${k}`, (x) => mixed(net, x, ['384:1', '192:1 224:1x7 256:7x1', long], '128:1'))
  add('7a', (x) => mixed(net, x, ['192:1 192:3/2', '256:1 256:1x7 320:7x1 320:3/2'], 'halved'))
  for (let k = 0; k < 3; k++)
    add(`c${k}`, (x) => forked(net, x, '256:1', ['384:1', '384:1 448:3x1 512:1x3'], 256, '256:1'))
  net.classify(result())
}

/** The scale of the residual is folded into its last convolution. */
function residual(net: Net, x: T, branches: readonly string[], last = false): T {
  const joined = net.concat(branches.map((branch) => chain(net, x, branch)))
  const y = net.conv(joined, net.channels(x), 1, { norm: false })
  return net.add(y, x, last ? undefined : 'Relu')
}

export function inception_resnet_v2(net: Net): void {
  const { add, result } = blocks(net, longStem(net))
  add('5b', (x) => mixed(net, x, ['96:1', '48:1 64:5', '64:1 96:3 96:3'], '64:1'))
  for (let k = 0; k < 10; k++) add(`block35_${k}`, (x) => residual(net, x, ['32:1', '32:1 32:3', '32:1 48:3 64:3']))
  add('6a', (x) => mixed(net, x, ['384:3/2', '256:1 256:3 384:3/2'], 'halved'))
  for (let k = 0; k < 20; k++) add(`block17_${k}`, (x) => residual(net, x, ['192:1', '128:1 160:1x7 192:7x1']))
  add('7a', (x) => mixed(net, x, ['256:1 384:3/2', '256:1 288:3/2', '256:1 288:3 320:3/2'], 'halved'))
  for (let k = 0; k < 10; k++) add(`block8_${k}`, (x) => residual(net, x, ['192:1', '192:1 224:1x3 256:3x1'], k === 9))
  net.classify(conv(net, result(), '1536:1'))
}
