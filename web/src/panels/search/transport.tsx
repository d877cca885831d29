import { useValue } from '../../base/use_value'
import { looking, playing } from '../../state/atoms'
import { steps, cursor, opened, run } from '../../state/workbench'
import { useActions } from '../page/context'
import { Part } from '../controls/later_part'
import { aids } from '../page/aids_later'
import { JumpMenu } from './jumps'
import { Stopped, WatchButton } from '../marks/marks_button'
import { Button, PlayButton, Speed, StepField } from './transport_parts'

/** A jump over millions of steps takes its time: said only once it does. */
function Looking() {
  return useValue(looking) ? (
    <span class="looking hint" role="status">
      Looking…
    </span>
  ) : null
}

export function Transport() {
  const actions = useActions()
  const state = useValue(run)
  const some = useValue(opened) !== null
  const on = useValue(playing)
  const at = useValue(cursor)
  const total = useValue(steps)
  const off = !some || (state.kind !== 'ended' && state.kind !== 'cancelled') || total === 0
  const { player } = actions
  return (
    <div class="transport" role="toolbar" aria-label="Transport">
      <Button icon="start" name="Start" keys="Home" off={off || at === 0} act={() => player.toStart()} />
      <Button
        icon="lastBacktrack"
        name="Previous backtrack"
        keys="Shift ←"
        off={off || at === 0}
        act={() => actions.search.jump('backtrack', false)}
      />
      <Button icon="back" name="Step back" keys="←" off={off || at === 0} act={() => player.stepBy(-1)} />
      <PlayButton on={on} off={off} toggle={() => player.toggle()} />
      <Button icon="step" name="Step" keys="→" off={off || at >= total} act={() => player.stepBy(1)} />
      <Button
        icon="nextBacktrack"
        name="Next backtrack"
        keys="Shift →"
        off={off || at >= total}
        act={() => actions.search.jump('backtrack', true)}
      />
      <Button icon="end" name="End" keys="End" off={off || at >= total} act={() => player.toEnd()} />
      <JumpMenu off={off} />
      <WatchButton off={off} />
      <span class="rule" />
      <StepField off={off} />
      <Looking />
      <Stopped />
      <span class="spring" />
      <Speed />
      <Part of={aids} quiet>
        {({ Roving }) => <Roving />}
      </Part>
    </div>
  )
}
