/**
 * Residual networks: He et al., Deep Residual Learning for Image Recognition (CVPR 2016), with the stride in the 3×3 convolution as in
 * pytorch/vision:torchvision/models/resnet.py; ResNeXt: Xie et al., Aggregated Residual Transformations (CVPR 2017), same file; the
 * pyramid: Lin et al., Feature Pyramid Networks for Object Detection (CVPR 2017), torchvision/ops/feature_pyramid_network.py; v2: He et
 * al., Identity Mappings in Deep Residual Networks (ECCV 2016), keras-team/keras-applications:keras_applications/resnet_common.py.
 */
import type { Net, T } from './build'

export interface Residual {
  /** bottlenecks of each of the four stages */
  blocks: readonly [number, number, number, number]
  groups?: number
  /** channels of a group in the first stage */
  width?: number
  /** stages whose stride is replaced with dilation */
  dilated?: readonly boolean[]
}

function bottleneck(
  net: Net,
  x: T,
  o: { middle: number; out: number; groups: number; stride: number; dilation: number; down: boolean },
): T {
  let y = net.conv(x, o.middle, 1, { id: 'conv1', act: 'Relu' })
  y = net.conv(y, o.middle, 3, { id: 'conv2', act: 'Relu', groups: o.groups, stride: o.stride, dilation: o.dilation })
  y = net.conv(y, o.out, 1, { id: 'conv3' })
  return net.add(y, o.down ? net.conv(x, o.out, 1, { id: 'downsample', stride: o.stride }) : x, 'Relu')
}

/** The results of the four stages. */
export function stages(net: Net, x: T, { blocks, groups = 1, width = 64, dilated = [] }: Residual): T[] {
  let y = net.conv(x, 64, 7, { id: 'conv1', stride: 2, act: 'Relu' })
  y = net.pool('Max', y, 3, { stride: 2 })
  let dilation = 1
  return blocks.map((n, stage) => {
    const planes = 64 * 2 ** stage
    for (let k = 0; k < n; k++) {
      const first = k === 0
      /* the block in which the stride is given up still has the dilation of those before it */
      const stride = first && stage > 0 && !dilated[stage] ? 2 : 1
      const before = dilation
      if (first && dilated[stage]) dilation *= 2
      const o = { middle: (planes * width * groups) / 64, out: planes * 4, groups, stride, down: first }
      y = net.in(`layer${stage + 1}.${k}`, () => bottleneck(net, y, { ...o, dilation: first ? before : dilation }))
    }
    return y
  })
}

function classifier(net: Net, o: Residual): void {
  const y = stages(net, net.image(), o)[3] as T
  net.classify(y)
}

export const resnet50 = (net: Net) => classifier(net, { blocks: [3, 4, 6, 3] })
export const resnet152 = (net: Net) => classifier(net, { blocks: [3, 8, 36, 3] })
export const resnext50 = (net: Net) => classifier(net, { blocks: [3, 4, 6, 3], groups: 32, width: 4 })

export function resnet50_fpn(net: Net): void {
  const levels = stages(net, net.image(), { blocks: [3, 4, 6, 3] })
  const plain = (x: T, kernel: number, id: string) => net.conv(x, 256, kernel, { id, norm: false })
  const inner = (k: number) => plain(levels[k] as T, 1, `inner${k}`)
  net.in('fpn', () => {
    let above = inner(3)
    const top = plain(above, 3, 'layer3')
    net.output(top)
    for (let k = 2; k >= 0; k--) {
      const lateral = inner(k)
      above = net.add(lateral, net.resize(above, net.space(lateral)))
      net.output(plain(above, 3, `layer${k}`))
    }
    net.output(net.pool('Max', top, 1, { stride: 2, pad: 0 }))
  })
}

/** The stride is in the last block of a stage, and its shortcut is a pooling. */
function preactivated(net: Net, x: T, planes: number, stride: number, first: boolean): T {
  const read = net.norm(x, 'Relu')
  let shortcut = x
  if (first) shortcut = net.conv(read, 4 * planes, 1, { id: 'shortcut', norm: false })
  else if (stride > 1) shortcut = net.pool('Max', x, 1, { stride, pad: 0 })
  let y = net.conv(read, planes, 1, { id: 'conv1', act: 'Relu' })
  y = net.conv(y, planes, 3, { id: 'conv2', stride, act: 'Relu' })
  y = net.conv(y, 4 * planes, 1, { id: 'conv3', norm: false })
  return net.add(shortcut, y)
}

export function resnetv2_101(net: Net): void {
  let y = net.conv(net.image(), 64, 7, { id: 'conv1', stride: 2, norm: false })
  y = net.pool('Max', y, 3, { stride: 2 })
  const blocks = [3, 4, 23, 3]
  blocks.forEach((n, stage) => {
    for (let k = 0; k < n; k++) {
      const stride = k === n - 1 && stage < 3 ? 2 : 1
      y = net.in(`conv${stage + 2}.${k}`, () => preactivated(net, y, 64 * 2 ** stage, stride, k === 0))
    }
  })
  net.classify(net.norm(y, 'Relu'))
}
