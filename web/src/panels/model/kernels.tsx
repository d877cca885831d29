/** Whose kernels run a TFLite model: they request scratch memory that is in no file. */
import { useValue } from '../../base/use_value'
import type { Kernels } from '../../import/tflite/scratch'
import { fileOpen } from '../../state/workbench'
import { Pick } from '../controls/choice'
import { useActions } from '../page/context'

const CHOICES: readonly (readonly [Kernels, string])[] = [
  ['reference', 'TFLite Micro, reference'],
  ['cmsis-nn-dsp', 'CMSIS-NN, DSP (M4, M7, M33)'],
  ['cmsis-nn-helium', 'CMSIS-NN, Helium (M55, M85)'],
  ['none', 'None that are known'],
]

/** Only while the file is still at hand. */
export function KernelChoice() {
  const actions = useActions()
  const file = useValue(fileOpen)
  if (file?.format !== 'tflite') return null
  const set = (kernels: Kernels) => void actions.model.answerImport({ ...file.answers, kernels })
  return (
    <Pick label="Kernels, for their scratch" value={file.answers.kernels ?? 'reference'} choices={CHOICES} set={set} />
  )
}
