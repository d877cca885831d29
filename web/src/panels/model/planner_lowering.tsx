/** What the planner that a solver is named after makes of a model before it plans, where that is something else than here. */
import { useValue } from '../../base/use_value'
import { solverInfo, opened } from '../../state/workbench'
import { plannerLowering } from '../../state/model/planner_lowerings'
import { useActions } from '../page/context'

export function PlannerLowering() {
  const actions = useActions()
  const info = useValue(solverInfo)
  const source = useValue(opened)?.source
  if (info === null || source?.kind !== 'model') return null
  const belongs = plannerLowering(info.id, source.lowering)
  if (belongs === null) return null
  return (
    <p class="hint">
      {info.title} itself {belongs.does}: what it needs is another figure than here.{' '}
      <button type="button" class="text-button" onClick={() => void actions.model.lower({ ...belongs.lowering })}>
        Lower the model so
      </button>
    </p>
  )
}
