/**
 * Clips of 16 pictures. R(2+1)D-18: Tran et al. (CVPR 2018), pytorch/vision:torchvision/models/video/resnet.py. S3D: Xie et al., Rethinking
 * Spatiotemporal Feature Learning (ECCV 2018), torchvision/models/video/s3d.py. 400 classes.
 */
import type { Net, T } from './build'

const frames = 16
const clip = (net: Net) => net.input('input', 3, frames, net.size, net.size)

export function r2plus1d_18(net: Net): void {
  /* space first, then time; as many channels between as give a 3-D convolution's parameters */
  const split = (x: T, planes: number, between: number, stride: number, id: string, act: boolean) => {
    const y = net.conv(x, between, [1, 3, 3], { id: `${id}.space`, stride: [1, stride, stride], act: 'Relu' })
    return net.conv(y, planes, [3, 1, 1], { id: `${id}.time`, stride: [stride, 1, 1], ...(act && { act: 'Relu' }) })
  }
  let y = net.conv(clip(net), 45, [1, 7, 7], { id: 'stem.space', stride: [1, 2, 2], act: 'Relu' })
  y = net.conv(y, 64, [3, 1, 1], { id: 'stem.time', act: 'Relu' })
  const stages = [64, 128, 256, 512]
  stages.forEach((planes, stage) => {
    for (let k = 0; k < 2; k++) {
      const x = y
      const from = net.channels(x)
      const stride = k === 0 && stage > 0 ? 2 : 1
      const between = Math.floor((from * planes * 27) / (from * 9 + 3 * planes))
      y = net.in(`layer${stage + 1}.${k}`, () => {
        const z = split(split(x, planes, between, stride, 'conv1', true), planes, between, 1, 'conv2', false)
        return net.add(z, stride > 1 ? net.conv(x, planes, 1, { id: 'downsample', stride }) : x, 'Relu')
      })
    }
  })
  net.classify(y, 400)
}

export function s3d(net: Net): void {
  const conv = (x: T, channels: number) => net.conv(x, channels, 1, { act: 'Relu' })
  const split = (x: T, channels: number, kernel: number, stride: number) => {
    const y = net.conv(x, channels, [1, kernel, kernel], { stride: [1, stride, stride], act: 'Relu' })
    return net.conv(y, channels, [kernel, 1, 1], { stride: [stride, 1, 1], act: 'Relu' })
  }
  const flat = (x: T) => net.pool('Max', x, [1, 3, 3], { stride: [1, 2, 2] })
  let blocks = 0
  const block = (x: T, [a, b, c, d, e, f]: readonly [number, number, number, number, number, number]) =>
    net.in(`block${blocks++}`, () =>
      net.concat([conv(x, a), split(conv(x, b), c, 3, 1), split(conv(x, d), e, 3, 1), conv(net.pool('Max', x, 3), f)]),
    )
  let y = flat(split(clip(net), 64, 7, 2))
  y = flat(split(conv(y, 64), 192, 3, 1))
  y = block(block(y, [64, 96, 128, 16, 32, 32]), [128, 128, 192, 32, 96, 64])
  y = net.pool('Max', y, 3, { stride: 2 })
  y = block(block(y, [192, 96, 208, 16, 48, 64]), [160, 112, 224, 24, 64, 64])
  y = block(block(y, [128, 128, 256, 24, 64, 64]), [112, 144, 288, 32, 64, 64])
  y = block(y, [256, 160, 320, 32, 128, 128])
  y = net.pool('Max', y, 2, { stride: 2, pad: 0 })
  y = block(block(y, [256, 160, 320, 32, 128, 128]), [384, 192, 384, 48, 128, 128])
  y = net.pool('Average', y, [2, 7, 7], { pad: 0 })
  net.output(net.globalPool(net.conv(y, 400, 1, { id: 'classes', norm: false })))
}
