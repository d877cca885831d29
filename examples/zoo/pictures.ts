/**
 * From picture to picture. U-Net: Ronneberger et al. (MICCAI 2015), with padded convolutions and batch normalisation as in
 * milesial/Pytorch-UNet. FSRCNN(56,12,4): Dong et al. (ECCV 2016), yjn870/FSRCNN-pytorch:models.py, twice the size. The generator of SRGAN:
 * Ledig et al. (CVPR 2017), leftthomas/SRGAN:model.py, five blocks, four times the size. StereoNet: Khamis et al. (ECCV 2018),
 * andrewlstewart/StereoNet_PyTorch:src/stereonet/model.py. OpenPose: Cao et al. (CVPR 2017), CMU-Perceptual-Computing-Lab/openpose:
 * models/pose/coco/pose_deploy_linevec.prototxt.
 */
import type { Net, T } from './build'

export function unet(net: Net): void {
  const twice = (x: T, channels: number) => {
    const y = net.conv(x, channels, 3, { id: 'conv1', act: 'Relu' })
    return net.conv(y, channels, 3, { id: 'conv2', act: 'Relu' })
  }
  const skips: T[] = []
  let y = net.image()
  for (let k = 0; k < 4; k++) {
    const skip = net.in(`down${k}`, () => twice(y, 64 * 2 ** k))
    skips.push(skip)
    y = net.pool('Max', skip, 2, { stride: 2, pad: 0 })
  }
  y = net.in('bottom', () => twice(y, 1024))
  for (let k = 3; k >= 0; k--)
    y = net.in(`up${k}`, () => {
      const wide = net.transposed(y, 64 * 2 ** k, 2, { stride: 2, pad: 0, norm: false })
      return twice(net.concat([skips[k] as T, wide]), 64 * 2 ** k)
    })
  net.output(net.conv(y, 2, 1, { id: 'out', norm: false }))
}

export function fsrcnn(net: Net): void {
  const conv = (x: T, channels: number, kernel: number) => net.conv(x, channels, kernel, { norm: false, act: 'PRelu' })
  let y = conv(conv(net.image(1), 56, 5), 12, 1)
  for (let k = 0; k < 4; k++) y = conv(y, 12, 3)
  net.output(net.transposed(conv(y, 56, 1), 1, 9, { stride: 2, pad: 4, extra: 1, norm: false }))
}

export function srgan(net: Net): void {
  const one = { act: 'PRelu', slopes: 1 } as const
  const first = net.conv(net.image(), 64, 9, { ...one, id: 'block1', norm: false })
  let y = first
  for (let k = 2; k <= 6; k++)
    y = net.in(`block${k}`, () =>
      net.add(y, net.conv(net.conv(y, 64, 3, { ...one, id: 'conv1', bias: true }), 64, 3, { id: 'conv2', bias: true })),
    )
  y = net.add(first, net.conv(y, 64, 3, { id: 'block7', bias: true }))
  /* a PRelu of one slope gives the same before the shuffle as after it */
  for (let k = 0; k < 2; k++) y = net.pixelShuffle(net.conv(y, 256, 3, { ...one, id: `up${k}`, norm: false }), 2)
  net.output(net.conv(y, 3, 9, { id: 'out', norm: false, act: 'Tanh' }))
}

export function openpose(net: Net): void {
  const conv = (x: T, channels: number, kernel: number, id: string, act = true) =>
    net.conv(x, channels, kernel, { id, norm: false, ...(act && { act: 'Relu' }) })
  let y = net.image()
  const vgg = [
    [64, 2],
    [128, 2],
    [256, 4],
  ]
  vgg.forEach(([channels = 1, n = 1], k) => {
    for (let i = 1; i <= n; i++) y = conv(y, channels, 3, `conv${k + 1}_${i}`)
    y = net.pool('Max', y, 2, { stride: 2, pad: 0, ceil: true })
  })
  for (const [k, channels] of [512, 512, 256, 128].entries()) y = conv(y, channels, 3, `conv4_${k + 1}`)
  const features = y
  /* fields of 19 limbs in two directions; 18 body parts and the background. The two branches of a stage are listed layer by layer. */
  const stage = (x: T, s: number, wide: number, kernels: readonly number[]) =>
    net.in(`stage${s}`, () => {
      let both: [T, T] = [x, x]
      kernels.forEach((kernel, k) => {
        const end = k === kernels.length - 1
        const next = (b: 0 | 1) =>
          conv(
            both[b],
            end ? ([38, 19][b] as number) : k === kernels.length - 2 ? wide : 128,
            kernel,
            `conv${k + 1}_L${b + 1}`,
            !end,
          )
        both = [next(0), next(1)]
      })
      return both
    })
  let both = stage(features, 1, 512, [3, 3, 3, 1, 1])
  for (let s = 2; s <= 6; s++) both = stage(net.concat([...both, features]), s, 128, [7, 7, 7, 7, 7, 1, 1])
  net.output(net.concat([both[1], both[0]]))
}

/** Two pictures, their difference at each of the disparities (an eighth of 256), filtered in 3-D, and refined at three sizes. */
export function stereonet(net: Net): void {
  const pictures = ['left', 'right'].map((side) => net.input(side, 3, net.size, net.size))
  const plain = { norm: false } as const
  const block = (x: T, dilation: number) => {
    const y = net.conv(net.conv(x, 32, 3, { dilation, act: 'LeakyRelu' }), 32, 3, { dilation })
    return net.add(y, x, 'LeakyRelu')
  }
  const [left, right] = net.twins(pictures, (picture, side) =>
    net.in(side === 0 ? 'left' : 'right', () => {
      let y = picture
      for (let k = 0; k < 3; k++) y = net.conv(y, 32, 5, { ...plain, stride: 2 })
      for (let k = 0; k < 6; k++) y = block(y, 1)
      return net.conv(y, 32, 3, plain)
    }),
  ) as [T, T]
  const disparities = 32
  let y = net.op('CostVolume', [left, right], [net.batch, 32, disparities, ...net.space(left)])
  for (let k = 0; k < 4; k++) y = net.in('cost', () => net.conv(y, 32, 3, { bias: true, act: 'LeakyRelu' }))
  y = net.in('cost', () => net.conv(y, 1, 3, plain))
  y = net.softmax(net.reshape(y, [net.batch, disparities, ...net.space(left)]), 1)
  y = net.op('SoftArgmin', [y], [net.batch, 1, ...net.space(left)])
  const picture = pictures[0] as T
  for (const part of [4, 2, 1])
    y = net.in(`refine${part}`, () => {
      const space = net.space(picture).map((n) => Math.floor(n / part))
      const small = net.resize(picture, space)
      const coarse = net.resize(y, space)
      let z = net.conv(net.concat([small, coarse]), 32, 3, plain)
      for (const dilation of [1, 2, 4, 8, 1, 1]) z = block(z, dilation)
      return net.add(net.conv(z, 1, 3, plain), coarse, 'Relu')
    })
  net.output(y)
}
