/**
 * Networks for phones and microcontrollers.
 * MobileNet v1: Howard et al., arXiv 1704.04861, keras-team/keras-applications:keras_applications/mobilenet.py.
 * MobileNet v2: Sandler et al. (CVPR 2018), keras_applications/mobilenet_v2.py.
 * MNASNet: Tan et al. (CVPR 2019), pytorch/vision:torchvision/models/mnasnet.py.
 * SqueezeNet 1.0, 1.1: Iandola et al., arXiv 1602.07360, torchvision/models/squeezenet.py.
 * The face detector: Bazarevsky et al., BlazeFace, arXiv 1907.05047, as hollance/BlazeFace-PyTorch:blazeface.py has it.
 */
import type { Net, T } from './build'

export function mobilenet_v1(net: Net): void {
  let y = net.conv(net.image(), 32, 3, { id: 'conv1', stride: 2, pad: 'same', act: 'Clip' })
  const layers = [
    [64, 1],
    [128, 2],
    [128, 1],
    [256, 2],
    [256, 1],
    [512, 2],
    ...Array<[number, number]>(5).fill([512, 1]),
    [1024, 2],
    [1024, 1],
  ]
  layers.forEach(([channels = 1, stride = 1], k) => {
    y = net.depthwise(y, 3, { id: `dw${k + 1}`, stride, pad: 'same', act: 'Clip' })
    y = net.conv(y, channels, 1, { id: `pw${k + 1}`, act: 'Clip' })
  })
  net.classify(y)
}

interface Inverted {
  kernel: number
  stride: number
  expand: number
  out: number
}

/** Widens, filters each channel, narrows, and adds its input where the shape is kept. */
function inverted(net: Net, x: T, o: Inverted, act: 'Relu' | 'Clip'): T {
  let y = o.expand === 1 ? x : net.conv(x, net.channels(x) * o.expand, 1, { id: 'expand', act })
  y = net.depthwise(y, o.kernel, { id: 'dw', stride: o.stride, pad: act === 'Clip' ? 'same' : 'half', act })
  y = net.conv(y, o.out, 1, { id: 'project' })
  return o.stride === 1 && net.channels(x) === o.out ? net.add(x, y) : y
}

/** Each row: expansion, channels, how often, stride of the first, kernel. */
function rows(net: Net, x: T, table: readonly number[][], act: 'Relu' | 'Clip'): T {
  let y = x
  table.forEach(([expand = 1, out = 1, n = 1, stride = 1, kernel = 3], row) => {
    for (let k = 0; k < n; k++)
      y = net.in(`block${row + 1}.${k}`, () =>
        inverted(net, y, { kernel, stride: k === 0 ? stride : 1, expand, out }, act),
      )
  })
  return y
}

export function mobilenet_v2(net: Net): void {
  const table = [
    [1, 16, 1, 1],
    [6, 24, 2, 2],
    [6, 32, 3, 2],
    [6, 64, 4, 2],
    [6, 96, 3, 1],
    [6, 160, 3, 2],
    [6, 320, 1, 1],
  ]
  const stem = net.conv(net.image(), 32, 3, { id: 'conv1', stride: 2, pad: 'same', act: 'Clip' })
  net.classify(net.conv(rows(net, stem, table, 'Clip'), 1280, 1, { id: 'conv2', act: 'Clip' }))
}

export function mnasnet1_3(net: Net): void {
  const table = [
    [3, 32, 3, 2, 3],
    [3, 56, 3, 2, 5],
    [6, 104, 3, 2, 5],
    [6, 128, 2, 1, 3],
    [6, 248, 4, 2, 5],
    [6, 416, 1, 1, 3],
  ]
  let y = net.conv(net.image(), 40, 3, { id: 'conv1', stride: 2, act: 'Relu' })
  y = net.depthwise(y, 3, { id: 'dw', act: 'Relu' })
  y = net.conv(y, 24, 1, { id: 'project' })
  net.classify(net.conv(rows(net, y, table, 'Relu'), 1280, 1, { id: 'conv2', act: 'Relu' }))
}

/** The widths of the squeezing and of each expanding convolution; null: a pooling. */
type Fire = readonly [number, number] | null

function squeezenet(net: Net, channels: number, kernel: number, fires: readonly Fire[]): void {
  const conv = (x: T, channels: number, kernel: number, id: string) =>
    net.conv(x, channels, kernel, { id, norm: false, act: 'Relu' })
  let y = net.conv(net.image(), channels, kernel, { id: 'conv1', stride: 2, pad: 0, norm: false, act: 'Relu' })
  let number = 2
  for (const fire of fires) {
    if (fire === null) {
      y = net.pool('Max', y, 3, { stride: 2, pad: 0, ceil: true })
      continue
    }
    const [squeeze, expand] = fire
    y = net.in(`fire${number++}`, () => {
      const s = conv(y, squeeze, 1, 'squeeze')
      return net.concat([conv(s, expand, 1, 'expand1x1'), conv(s, expand, 3, 'expand3x3')])
    })
  }
  net.output(net.globalPool(conv(y, 1000, 1, 'conv10')))
}

const [FIRE16, FIRE32, FIRE48, FIRE64] = [
  [16, 64],
  [32, 128],
  [48, 192],
  [64, 256],
] as const

export function squeezenet1_0(net: Net): void {
  squeezenet(net, 96, 7, [null, FIRE16, FIRE16, FIRE32, null, FIRE32, FIRE48, FIRE48, FIRE64, null, FIRE64])
}

export function squeezenet1_1(net: Net): void {
  squeezenet(net, 64, 3, [null, FIRE16, FIRE16, null, FIRE32, FIRE32, null, FIRE48, FIRE48, FIRE64, FIRE64])
}

/** Two scales, at each the anchors' boxes and scores. At stride 2 the shortcut is a pooling; more channels than it has are zeros. */
export function blazeface(net: Net): void {
  const plain = { norm: false } as const
  const block = (x: T, k: number, channels: number, stride: number) =>
    net.in(`block${k}`, () => {
      let skip = stride === 2 ? net.pool('Max', x, 2, { stride: 2, pad: 0 }) : x
      if (channels > net.channels(x)) skip = net.padChannels(skip, channels)
      const y = net.depthwise(x, 3, { ...plain, id: 'dw', stride, pad: 'same' })
      return net.add(net.conv(y, channels, 1, { ...plain, id: 'pw' }), skip, 'Relu')
    })
  let y = net.conv(net.image(), 24, 5, { ...plain, id: 'conv1', stride: 2, pad: 'same', act: 'Relu' })
  const fine = [
    [24, 1],
    [28, 1],
    [32, 2],
    [36, 1],
    [42, 1],
    [48, 2],
    [56, 1],
    [64, 1],
    [72, 1],
    [80, 1],
    [88, 1],
  ]
  fine.forEach(([channels = 1, stride = 1], k) => {
    y = block(y, k + 1, channels, stride)
  })
  const x = y
  for (let k = 0; k < 5; k++) y = block(y, 12 + k, 96, k === 0 ? 2 : 1)
  const head = (id: string, per: number) =>
    net.concat(
      (
        [
          [x, 2],
          [y, 6],
        ] as const
      ).map(([from, anchors]) => {
        const boxes = net.conv(from, per * anchors, 1, { ...plain, id })
        const places = net.space(from).reduce((a, b) => a * b, anchors)
        return net.reshape(net.transpose(boxes, [0, 2, 3, 1]), [net.batch, places, per])
      }),
    )
  net.output(head('classifier', 1), head('regressor', 16))
}
