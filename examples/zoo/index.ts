/** The zoo: what there is, in the order in which people see it, and how to have its graph. A network is loaded when it is asked for. */
import type { Graph } from '../../web/src/import/graph'
import type { Net, Options, Settings } from './build'

export type { Options } from './build'

const families = {
  attention: () => import('./attention'),
  cells: () => import('./cells'),
  dense: () => import('./dense'),
  inception: () => import('./inception'),
  mobile: () => import('./mobile'),
  pictures: () => import('./pictures'),
  resnet: () => import('./resnet'),
  segmentation: () => import('./segmentation'),
  video: () => import('./video'),
} satisfies Record<string, () => Promise<Record<string, unknown>>>

export interface Entry {
  /** the name of its function in the file of its family */
  id: string
  title: string
  family: keyof typeof families
  /**
   * One sentence: how the planners that take the larger tensor first do against the lower bound. They differ in how they break ties,
   * which often decides. The figures hold with the options of `show`, and else with the defaults: one byte for each element, nothing in
   * place. All of these are solved at the lower bound by an exact search.
   */
  text: string
  size: number
  /** what the size counts, if not the pixels of the input's edge */
  unit?: 'tokens'
  batch: number
  /**
   * What makes it interesting: a solver that misses the lower bound, and, where the defaults do not do it, options, and how many
   * operators ahead weights are loaded.
   */
  show?: { solver: string; options?: Options; prefetch?: number }
}

export const zoo: readonly Entry[] = [
  {
    id: 'resnet50_fpn',
    title: 'ResNet-50-FPN',
    family: 'resnet',
    text: 'LiteRT misses the lower bound by 7.5 % and TFLite Micro reaches it, as they break ties differently: 6 tensors are alive when the pyramid makes its last addition.',
    size: 224,
    batch: 1,
    show: { solver: 'litert' },
  },
  {
    id: 'darts_v2',
    title: 'DARTS, second order',
    family: 'cells',
    text: 'LiteRT misses the lower bound by 8.3 % and TFLite Micro misses it by 16.7 %, although no more than 2 tensors are alive at the peak, in the stem.',
    size: 224,
    batch: 1,
    show: { solver: 'tflm' },
  },
  {
    id: 'pnasnet5_large',
    title: 'PNASNet-5 Large',
    family: 'cells',
    text: 'LiteRT misses the lower bound by 11.3 % and TFLite Micro misses it by 1.5 %: 8 tensors are alive at the peak, in the first cell.',
    size: 331,
    batch: 1,
    show: { solver: 'litert' },
  },
  {
    id: 'resnet50',
    title: 'ResNet-50',
    family: 'resnet',
    text: 'With weights loaded 3 operators ahead, LiteRT and TFLite Micro miss the lower bound by 8.6 %; without weights they reach it.',
    size: 224,
    batch: 1,
    show: { solver: 'tflm', prefetch: 3 },
  },
  {
    id: 'blazeface',
    title: 'BlazeFace',
    family: 'mobile',
    text: 'LiteRT misses the lower bound by 42.9 % and greedy by size misses it by 28.6 %; TFLite Micro reaches it.',
    size: 128,
    batch: 1,
    show: { solver: 'litert' },
  },
  {
    id: 'r2plus1d_18',
    title: 'R(2+1)D-18',
    family: 'video',
    text: 'LiteRT, TFLite Micro and greedy by size miss the lower bound by 23.5 %, with 3 tensors that are alive at the peak.',
    size: 112,
    batch: 1,
    show: { solver: 'tflm' },
  },
  {
    id: 'stereonet',
    title: 'StereoNet',
    family: 'pictures',
    text: 'TFLite Micro misses the lower bound by 33.0 %; LiteRT and greedy by size reach it.',
    size: 256,
    batch: 1,
    show: { solver: 'tflm' },
  },
  {
    id: 'squeezenet1_1',
    title: 'SqueezeNet 1.1',
    family: 'mobile',
    text: 'From operator 9 on, with weights loaded 3 operators ahead, LiteRT and TFLite Micro miss the lower bound by 9.6 %; without weights they reach it.',
    size: 224,
    batch: 1,
    show: { solver: 'tflm', options: { first: 9 }, prefetch: 3 },
  },
  {
    id: 'densenet121',
    title: 'DenseNet-121',
    family: 'dense',
    text: 'From operator 61 on, with weights loaded 3 operators ahead, TFLite Micro misses the lower bound by 9.7 % and LiteRT misses it by 6.7 %.',
    size: 224,
    batch: 1,
    show: { solver: 'tflm', options: { first: 61 }, prefetch: 3 },
  },
  {
    id: 'mnasnet1_3',
    title: 'MNASNet 1.3',
    family: 'mobile',
    text: 'LiteRT and greedy by size miss the lower bound by 8.3 %; TFLite Micro reaches it.',
    size: 224,
    batch: 1,
    show: { solver: 'litert' },
  },
  {
    id: 'darts_v1',
    title: 'DARTS, first order',
    family: 'cells',
    text: 'LiteRT and TFLite Micro miss the lower bound by 8.3 %; greedy by size reaches it.',
    size: 224,
    batch: 1,
    show: { solver: 'litert' },
  },
  {
    id: 'nasnet_a_large',
    title: 'NASNet-A Large',
    family: 'cells',
    text: 'TFLite Micro misses the lower bound by 9.1 % and greedy by size misses it by 1.0 %; LiteRT reaches it.',
    size: 331,
    batch: 1,
    show: { solver: 'tflm' },
  },
  {
    id: 'amoebanet_d',
    title: 'AmoebaNet-D',
    family: 'cells',
    text: 'TFLite Micro misses the lower bound by 8.3 %; LiteRT and greedy by size reach it.',
    size: 224,
    batch: 1,
    show: { solver: 'tflm' },
  },
  {
    id: 'darts_nasnet',
    title: 'NASNet cells, DARTS network',
    family: 'cells',
    text: 'Greedy by size misses the lower bound by 6.7 %; LiteRT and TFLite Micro reach it.',
    size: 224,
    batch: 1,
    show: { solver: 'greedy' },
  },
  {
    id: 'resnet152',
    title: 'ResNet-152',
    family: 'resnet',
    text: 'Greedy by size misses the lower bound by 8.3 %; LiteRT and TFLite Micro reach it.',
    size: 224,
    batch: 1,
    show: { solver: 'greedy' },
  },
  {
    id: 'resnext50',
    title: 'ResNeXt-50 32x4d',
    family: 'resnet',
    text: 'Greedy by size misses the lower bound by 8.3 %; LiteRT and TFLite Micro reach it.',
    size: 224,
    batch: 1,
    show: { solver: 'greedy' },
  },
  {
    id: 'nasnet_a_mobile',
    title: 'NASNet-A Mobile',
    family: 'cells',
    text: 'LiteRT misses the lower bound by 4.3 % and TFLite Micro misses it by 4.9 %; greedy by size reaches it.',
    size: 224,
    batch: 1,
    show: { solver: 'litert' },
  },
  {
    id: 'darts_cifar',
    title: 'DARTS for CIFAR-10',
    family: 'cells',
    text: 'LiteRT, TFLite Micro and greedy by size miss the lower bound by 8.3 %, with 6 tensors that are alive at the peak.',
    size: 32,
    batch: 1,
    show: { solver: 'tflm' },
  },
  {
    id: 'inception_v3',
    title: 'Inception v3',
    family: 'inception',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 34.2 %.',
    size: 299,
    batch: 1,
  },
  {
    id: 'inception_v4',
    title: 'Inception v4',
    family: 'inception',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 3 tensors are alive at the peak; greedy by start time misses it by 24.6 %.',
    size: 299,
    batch: 1,
  },
  {
    id: 'inception_resnet_v2',
    title: 'Inception-ResNet v2',
    family: 'inception',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 34.2 %.',
    size: 299,
    batch: 1,
  },
  {
    id: 'deeplabv3_resnet50',
    title: 'DeepLabV3',
    family: 'segmentation',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 3 tensors are alive at the peak; greedy by start time misses it by 16.7 %.',
    size: 520,
    batch: 1,
  },
  {
    id: 'fcn_resnet50',
    title: 'FCN',
    family: 'segmentation',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 3 tensors are alive at the peak; greedy by start time misses it by 16.7 %.',
    size: 520,
    batch: 1,
  },
  {
    id: 'lraspp_mobilenetv3',
    title: 'L-RASPP',
    family: 'segmentation',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 12.5 %.',
    size: 520,
    batch: 1,
  },
  {
    id: 'unet',
    title: 'U-Net',
    family: 'pictures',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 3 tensors are alive at the peak; greedy by start time misses it by 25.0 %.',
    size: 256,
    batch: 1,
  },
  {
    id: 'srgan',
    title: 'SRGAN generator',
    family: 'pictures',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 31.3 %.',
    size: 128,
    batch: 1,
  },
  {
    id: 'fsrcnn',
    title: 'FSRCNN',
    family: 'pictures',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 17.6 %.',
    size: 256,
    batch: 1,
  },
  {
    id: 'openpose',
    title: 'OpenPose',
    family: 'pictures',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time reaches it, too.',
    size: 368,
    batch: 1,
  },
  {
    id: 'vit_b_16',
    title: 'ViT-B/16',
    family: 'attention',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 4 tensors are alive at the peak; greedy by start time misses it by 48.9 %.',
    size: 224,
    batch: 1,
  },
  {
    id: 'transformer',
    title: 'Transformer, base',
    family: 'attention',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 4 tensors are alive at the peak; greedy by start time misses it by 7.7 %.',
    size: 10,
    unit: 'tokens',
    batch: 32,
  },
  {
    id: 's3d',
    title: 'S3D',
    family: 'video',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time reaches it, too.',
    size: 224,
    batch: 1,
  },
  {
    id: 'darts_amoebanet',
    title: 'AmoebaNet cells, DARTS network',
    family: 'cells',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time reaches it, too.',
    size: 224,
    batch: 1,
  },
  {
    id: 'resnetv2_101',
    title: 'ResNetV2-101',
    family: 'resnet',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 3 tensors are alive at the peak; greedy by start time misses it by 8.3 %.',
    size: 224,
    batch: 1,
  },
  {
    id: 'squeezenet1_0',
    title: 'SqueezeNet 1.0',
    family: 'mobile',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 3 tensors are alive at the peak; greedy by start time misses it by 6.3 %.',
    size: 224,
    batch: 1,
  },
  {
    id: 'mobilenet_v2',
    title: 'MobileNet v2',
    family: 'mobile',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 13.3 %.',
    size: 224,
    batch: 1,
  },
  {
    id: 'mobilenet_v1',
    title: 'MobileNet v1',
    family: 'mobile',
    text: 'LiteRT, TFLite Micro and greedy by size reach the lower bound: 2 tensors are alive at the peak; greedy by start time misses it by 33.3 %.',
    size: 224,
    batch: 1,
  },
]

/** What holds where nothing else is said. */
export const defaultsOf = ({ size, batch }: Entry): Settings => ({ size, batch, bytes: 1, fuse: true, weights: true })

export const entryOf = (id: string): Entry | undefined => zoo.find((entry) => entry.id === id)

/** The graph of a network. Throws an Error for people if the options do not fit it. */
export async function generate(entry: Entry, options: Options = {}): Promise<Graph> {
  const [{ Net: Builder }, { cut, withoutConstants }, family] = await Promise.all([
    import('./build'),
    import('./cut'),
    families[entry.family]() as Promise<Record<string, (net: Net) => void>>,
  ])
  const build = family[entry.id]
  if (!build) throw new Error(`the zoo has no ${entry.id} in ${entry.family}`)
  const { first, last, training = false, ...settings } = { ...defaultsOf(entry), ...options }
  const net = new Builder(entry.id, { ...settings, fuse: settings.fuse && !training })
  build(net)
  const part = cut(net.graph(), first, last)
  const kept = settings.weights ? part : withoutConstants(part)
  return training ? (await import('./train')).trained(kept) : kept
}
