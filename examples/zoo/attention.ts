/**
 * Transformers. The base model: Vaswani et al., Attention Is All You Need (NeurIPS 2017), as pytorch/pytorch:torch/nn/modules/transformer.py
 * lays it out, for a source of `size` tokens and a target of twice as many, already embedded. ViT-B/16: Dosovitskiy et al. (ICLR 2021),
 * pytorch/vision:torchvision/models/vision_transformer.py.
 */
import type { Net, T } from './build'

function feedForward(net: Net, x: T, wide: number, act: 'Relu' | 'Gelu'): T {
  const width = net.shape(x)[2] as number
  return net.fc(net.fc(x, wide, { id: 'linear1', act }), width, { id: 'linear2' })
}

export function transformer(net: Net): void {
  const width = 512
  const attend = (x: T, memory: T, id: string, norm: string) =>
    net.layerNorm(
      net.add(
        x,
        net.in(id, () => net.attention(x, memory, 8)),
      ),
      norm,
    )
  const forward = (x: T, norm: string) => net.layerNorm(net.add(x, feedForward(net, x, 2048, 'Relu')), norm)
  let memory = net.input('source', net.size, width)
  let y = net.input('target', 2 * net.size, width)
  for (let k = 0; k < 6; k++)
    memory = net.in(`encoder${k}`, () => forward(attend(memory, memory, 'self', 'norm1'), 'norm2'))
  memory = net.layerNorm(memory, 'encoder.norm')
  for (let k = 0; k < 6; k++)
    y = net.in(`decoder${k}`, () => {
      const own = attend(y, y, 'self', 'norm1')
      return forward(attend(own, memory, 'cross', 'norm2'), 'norm3')
    })
  net.output(net.layerNorm(y, 'decoder.norm'))
}

/** The classifier reads the class token alone, the first row of the last normalisation. */
export function vit_b_16(net: Net): void {
  const width = 768
  const patches = net.conv(net.image(), width, 16, { id: 'patches', stride: 16, pad: 0, norm: false })
  const tokens = net.space(patches).reduce((a, b) => a * b, 1) + 1
  const shape = [net.batch, tokens, width]
  const token = net.learnt('class', [1, 1, width])
  const positions = net.learnt('positions', [1, tokens, width])
  /* channels lie innermost, so that the patches are rows already; fused, the positions are added while they are copied */
  let y = net.op('Concat', net.fuse ? [token, patches, positions] : [token, patches], shape, { id: 'tokens' })
  if (!net.fuse) y = net.add(y, positions)
  for (let k = 0; k < 12; k++)
    y = net.in(`layer${k}`, () => {
      const read = net.layerNorm(y, 'norm1')
      const x = net.add(
        y,
        net.in('self', () => net.attention(read, read, 12)),
      )
      return net.add(x, feedForward(net, net.layerNorm(x, 'norm2'), 3072, 'Gelu'))
    })
  net.output(net.fc(net.layerNorm(y, 'norm'), 1000, { id: 'head', first: true }))
}
