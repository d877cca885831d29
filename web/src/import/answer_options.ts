/** The choices among an import's answers in words, for the page's panels and the command's flags. */
import type { Switch } from './imported'
import type { Kernels } from './tflite/scratch'

export const SWITCHES: Readonly<Record<Switch, readonly [name: string, help: string]>> = {
  fold: [
    'Compute constants beforehand',
    'What works on constants alone is done before the model runs; what does nothing, or what nobody reads, is left out. Off: as it is written in the file.',
  ],
  fuse: [
    'Fold batch norm and activations',
    'As a converter for inference does. Off: each is an operator of its own, with a tensor of its own.',
  ],
  qdq: [
    'Integer operators',
    'What the file writes between DequantizeLinear and QuantizeLinear runs on integers. Off: on floats, as it is written.',
  ],
}

export const KERNEL_NAMES: Readonly<Record<Kernels, string>> = {
  reference: 'TFLite Micro, reference',
  'cmsis-nn-dsp': 'CMSIS-NN, DSP (M4, M7, M33)',
  'cmsis-nn-helium': 'CMSIS-NN, Helium (M55, M85)',
  none: 'None that are known',
}
