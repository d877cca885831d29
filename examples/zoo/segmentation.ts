/**
 * Segmentation over 21 classes, as in pytorch/vision:torchvision/models/segmentation, without auxiliary classifiers. FCN: Long et al. (CVPR
 * 2015) and DeepLabV3: Chen et al., arXiv 1706.05587, both on a ResNet-50 whose last two stages are dilated; L-RASPP on MobileNetV3-Large:
 * Howard et al., Searching for MobileNetV3 (ICCV 2019), torchvision/models/mobilenetv3.py.
 */
import type { Activation, Net, T } from './build'
import { stages } from './resnet'

const classes = 21

function backbone(net: Net): T {
  return stages(net, net.image(), { blocks: [3, 4, 6, 3], dilated: [false, false, true, true] })[3] as T
}

const whole = (net: Net, x: T) => net.output(net.resize(x, [net.size, net.size]))

export function fcn_resnet50(net: Net): void {
  const y = net.conv(backbone(net), 512, 3, { id: 'head', act: 'Relu' })
  whole(net, net.conv(y, classes, 1, { id: 'classes', norm: false }))
}

export function deeplabv3_resnet50(net: Net): void {
  const x = backbone(net)
  const branches = [net.conv(x, 256, 1, { id: 'aspp0', act: 'Relu' })]
  for (const dilation of [12, 24, 36])
    branches.push(net.conv(x, 256, 3, { id: `aspp${dilation}`, dilation, act: 'Relu' }))
  const pooled = net.conv(net.globalPool(x, true), 256, 1, { id: 'aspp.pool', act: 'Relu' })
  branches.push(net.resize(pooled, net.space(x)))
  let y = net.conv(net.concat(branches), 256, 1, { id: 'project', act: 'Relu' })
  y = net.conv(y, 256, 3, { id: 'head', act: 'Relu' })
  whole(net, net.conv(y, classes, 1, { id: 'classes', norm: false }))
}

/** Channels near v that eight divides, not less than nine tenths of v. */
function eighths(v: number): number {
  const near = Math.max(8, Math.floor((v + 4) / 8) * 8)
  return near < 0.9 * v ? near + 8 : near
}

interface Block {
  kernel: number
  expand: number
  out: number
  excite: boolean
  act: Activation
  stride: number
  dilation: number
}

function block(net: Net, x: T, o: Block): T {
  let y = o.expand === net.channels(x) ? x : net.conv(x, o.expand, 1, { id: 'expand', act: o.act })
  y = net.depthwise(y, o.kernel, { id: 'dw', stride: o.dilation > 1 ? 1 : o.stride, dilation: o.dilation, act: o.act })
  if (o.excite) {
    const s = net.conv(net.globalPool(y, true), eighths(o.expand / 4), 1, { id: 'squeeze', norm: false, act: 'Relu' })
    y = net.mul(net.conv(s, o.expand, 1, { id: 'excite', norm: false, act: 'HardSigmoid' }), y)
  }
  y = net.conv(y, o.out, 1, { id: 'project' })
  return o.stride === 1 && net.channels(x) === o.out ? net.add(y, x) : y
}

/** Its stages' results at an eighth (before the third stride) and a sixteenth of the input. */
function mobilenetv3(net: Net): { low: T; high: T } {
  /* kernel, expansion, channels, squeeze and excite, hard swish, stride; the last three are dilated instead */
  const table = [
    [3, 16, 16, 0, 0, 1],
    [3, 64, 24, 0, 0, 2],
    [3, 72, 24, 0, 0, 1],
    [5, 72, 40, 1, 0, 2],
    [5, 120, 40, 1, 0, 1],
    [5, 120, 40, 1, 0, 1],
    [3, 240, 80, 0, 1, 2],
    [3, 200, 80, 0, 1, 1],
    [3, 184, 80, 0, 1, 1],
    [3, 184, 80, 0, 1, 1],
    [3, 480, 112, 1, 1, 1],
    [3, 672, 112, 1, 1, 1],
    [5, 672, 160, 1, 1, 2],
    [5, 960, 160, 1, 1, 1],
    [5, 960, 160, 1, 1, 1],
  ]
  let y = net.conv(net.image(), 16, 3, { id: 'conv1', stride: 2, act: 'HardSwish' })
  let low = y
  table.forEach(([kernel = 1, expand = 1, out = 1, excite, swish, stride = 1], k) => {
    const o = {
      kernel,
      expand,
      out,
      excite: excite === 1,
      act: swish ? 'HardSwish' : 'Relu',
      stride,
      dilation: k > 11 ? 2 : 1,
    } as const
    y = net.in(`block${k + 1}`, () => block(net, y, o))
    if (k === 3) low = y
  })
  return { low, high: net.conv(y, 960, 1, { id: 'conv2', act: 'HardSwish' }) }
}

export function lraspp_mobilenetv3(net: Net): void {
  const { low, high } = mobilenetv3(net)
  const y = net.conv(high, 128, 1, { id: 'cbr', act: 'Relu' })
  const s = net.conv(net.globalPool(high, true), 128, 1, { id: 'scale', norm: false, bias: false, act: 'Sigmoid' })
  const up = net.resize(net.mul(y, s), net.space(low))
  const fine = net.conv(low, classes, 1, { id: 'low', norm: false })
  whole(net, net.add(fine, net.conv(up, classes, 1, { id: 'high', norm: false })))
}
