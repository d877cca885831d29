/** Whose kernels run a TFLite model: they request scratch memory that is in no file. */
import { useValue } from '../../base/use_value'
import { KERNEL_NAMES } from '../../import/answer_options'
import { KERNELS, type Kernels } from '../../import/tflite/scratch'
import { fileOpen } from '../../state/workbench'
import { Pick } from '../controls/choice'
import { useActions } from '../page/context'

const CHOICES = KERNELS.map((kernels) => [kernels, KERNEL_NAMES[kernels]] as const)

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
