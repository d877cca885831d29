/** On a phone: the verdict and the speed stand above whatever the sheet shows, and Fit on the canvas once it does not show all. */
import { useValue } from '../../base/use_value'
import { viewportWhole } from '../../state/ui'
import { run, steps, verdict } from '../../state/workbench'
import { OutcomePill, Pill } from '../controls/pill'
import { Speed } from '../search/transport_parts'
import { CommandButton } from '../page/command_button'
import '../../styles/later'

export function PhoneFirst() {
  const state = useValue(run)
  const same = useValue(verdict)
  const total = useValue(steps)
  // its room is kept
  if (state.kind !== 'ended' && state.kind !== 'cancelled') return <div class="phone-first" />
  return (
    <div class="phone-first">
      <OutcomePill outcome={state.result.stats.outcome} />
      {same?.kind === 'same' && <Pill tone="ok" icon="tick" text="Reproduced exactly" />}
      <span class="spring" />
      {total > 0 && <Speed />}
    </div>
  )
}

export function PhoneFit() {
  const whole = useValue(viewportWhole)
  return whole ? null : <CommandButton name="fit" icon="fit" class="button phone-fit" label="Fit" />
}
