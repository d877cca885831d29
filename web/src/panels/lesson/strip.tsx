/** Under the canvas: what the step shown does and why, in the search's own words. */
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { kept } from '../../run/lesson/lesson_live'
import { told, frame, run } from '../../state/workbench'
import { Pill } from '../controls/pill'
import { Prose } from '../step/prose'
import { STEP_ICONS } from '../step/step_icons'

export function Strip() {
  const story = useValue(told)
  const at = useValue(frame)?.step ?? 0
  const silent = useValue(kept) === 'sentence'
  if (useValue(run).kind !== 'ended' || story === null) return null
  return (
    <section class="lesson-strip" aria-label="This step">
      <div class="row chip-row">
        {!silent && <Pill tone={story.tone} icon={STEP_ICONS[story.glyph]} text={story.chip} />}
        <span class="mono dim">step {thousands(at)}</span>
      </div>
      {silent ? <p class="hint">What this step says comes with your answer.</p> : <Prose spans={story.spans} />}
    </section>
  )
}
