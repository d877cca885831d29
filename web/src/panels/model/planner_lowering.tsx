/** What the planner that a solver is named after makes of a model before it plans, where that is something else than here. */
import { useValue } from '../../base/use_value'
import { solverInfo, fileOpen, opened } from '../../state/workbench'
import { PLANNERS, plannerAnswers, plannerLowering } from '../../state/model/planner_lowerings'
import { useActions } from '../page/context'

export function PlannerLowering() {
  const actions = useActions()
  const info = useValue(solverInfo)
  const source = useValue(opened)?.source
  const file = useValue(fileOpen)
  if (info === null || source?.kind !== 'model') return null
  const lowering = plannerLowering(info.id, source.lowering)
  const answers = file?.format === 'tflite' ? plannerAnswers(info.id, file.answers) : null
  const belongs = PLANNERS[info.id]
  if (belongs === undefined || (lowering === null && answers === null)) return null
  const take = async () => {
    if (file !== null && answers !== null) await actions.model.answerImport({ ...file.answers, ...answers })
    if (lowering !== null) await actions.model.lower({ ...lowering.lowering })
  }
  return (
    <p class="hint">
      {info.title} itself {belongs.does}
      {answers !== null && ', unpacks weights in each run, and allocates all subgraphs'}: what it needs is another
      figure than here.{' '}
      <button type="button" class="text-button" onClick={() => void take()}>
        Lower the model so
      </button>
    </p>
  )
}
