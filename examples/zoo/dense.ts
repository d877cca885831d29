/**
 * DenseNet-121: Huang et al., Densely Connected Convolutional Networks (CVPR 2017), as in pytorch/vision:torchvision/models/densenet.py.
 * Every layer reads all before it; the joined tensors are real copies, not views.
 */
import type { Net, T } from './build'

const growth = 32

function block(net: Net, x: T, layers: number): T {
  const all = [x]
  for (let k = 0; k < layers; k++) {
    net.in(`layer${k + 1}`, () => {
      const joined = all.length > 1 ? net.concat(all) : x
      const y = net.conv(net.norm(joined, 'Relu'), 4 * growth, 1, { id: 'conv1', act: 'Relu' })
      all.push(net.conv(y, growth, 3, { id: 'conv2', norm: false, bias: false }))
    })
  }
  return net.concat(all)
}

export function densenet121(net: Net): void {
  let y = net.conv(net.image(), 64, 7, { id: 'conv0', stride: 2, act: 'Relu' })
  y = net.pool('Max', y, 3, { stride: 2 })
  const layers = [6, 12, 24, 16]
  layers.forEach((n, k) => {
    y = net.in(`block${k + 1}`, () => block(net, y, n))
    if (k === layers.length - 1) return
    y = net.in(`transition${k + 1}`, () => {
      const half = net.conv(net.norm(y, 'Relu'), net.channels(y) / 2, 1, { id: 'conv', norm: false, bias: false })
      return net.pool('Average', half, 2, { stride: 2, pad: 0 })
    })
  })
  net.classify(net.norm(y, 'Relu'))
}
