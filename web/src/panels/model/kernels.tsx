/** Which part of a file is read or run: one of its tables, one of a TFLite's subgraphs; and whose kernels, which request scratch memory that is in no file. */
import { useValue } from '../../base/use_value'
import { KERNEL_NAMES } from '../../import/answer_options'
import type { Runs } from '../../import/imported'
import { KERNELS, type Kernels } from '../../import/tflite/scratch'
import { fileOpen } from '../../state/workbench'
import { Pick } from '../controls/choice'
import { useActions } from '../page/context'

const CHOICES = KERNELS.map((kernels) => [kernels, KERNEL_NAMES[kernels]] as const)

const sameRuns = (one: Runs, other: Runs) => JSON.stringify(one) === JSON.stringify(other)

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

/** Of a file that holds several lists of buffers. */
export function PartChoice() {
  const actions = useActions()
  const file = useValue(fileOpen)
  const parts = file?.parts
  if (file === null || parts === undefined || parts.names.length === 0) return null
  return (
    <Pick
      label="Read of the file"
      value={parts.read}
      choices={parts.names.map((name) => [name, name] as const)}
      set={(part) => void actions.model.answerImport({ ...file.answers, part })}
    />
  )
}

/** Of a file that can be run from several places. */
export function RunsChoice() {
  const actions = useActions()
  const file = useValue(fileOpen)
  if (file === null || file.choices.length === 0) return null
  const all: Runs = 'all'
  const choices = [...file.choices, { runs: all, name: 'All, as TFLite Micro allocates them' }]
  const now = choices.findIndex(({ runs }) => file.answers.runs !== undefined && sameRuns(runs, file.answers.runs))
  return (
    <Pick
      label="Runs"
      value={`${Math.max(0, now)}`}
      choices={choices.map(({ name }, index) => [`${index}`, name] as const)}
      set={(index) => {
        const runs = choices[Number(index)]?.runs
        if (runs !== undefined) void actions.model.answerImport({ ...file.answers, runs })
      }}
    />
  )
}
