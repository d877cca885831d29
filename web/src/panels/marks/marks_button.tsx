/** Marks and stops: a button beside the transport, and the parts that come when they are wanted. */
import { useEffect } from 'preact/hooks'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import type { Actions } from '../../run/actions'
import { sayWhy } from '../../state/atoms'
import { shownMarks, shownRange, stopped } from '../../state/marks/marks'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { stops, watchOpen } from '../../state/workbench'
import { showMarks } from '../../run/page/modes'

export const marking = new Later(() => import('../../run/marks/marking'))
export const playToStop = new Later(() => import('../../run/marks/play_to_stop'))
export const watch = new Later(() => import('./marks_panel'))

/** Says so if the part is not to be had. */
async function doing<T>(of: Later<T>, act: (part: T) => unknown): Promise<void> {
  try {
    await act(await of.get())
  } catch (error) {
    sayWhy(error)
  }
}

export function markKey(): Promise<void> {
  return doing(marking, (part) => part.toggleMark())
}

export function stopKey(actions: Actions, forward: boolean): Promise<void> {
  return doing(playToStop, (part) => part.jumpToStop(actions.session, forward))
}

export function giveUp(actions: Actions): Promise<void> {
  return doing(playToStop, (part) => part.stopLooking(actions.session))
}

export function WatchButton({ off }: { off: boolean }) {
  const actions = useActions()
  const open = useValue(watchOpen)
  const marks = useValue(shownMarks).length
  const on = useValue(stops).filter((stop) => stop.on).length
  const part = useValue(playToStop.arrival)
  useEffect(() => {
    if (part.kind === 'there') part.part.watch(actions.session)
  }, [part, actions])
  // a stop or a range from the last visit must hold from the first play on
  const held = useValue(shownRange) !== null || on > 0
  useEffect(() => {
    if (held) playToStop.get().catch(() => {})
  }, [held])
  const count = marks + on
  const name = `Marks and stops${count > 0 ? ` ${count}: ${marks} marked, ${on} stops on` : ''}`
  return (
    <button
      type="button"
      class="transport-button watch-button"
      aria-label={name}
      title={`${name} (M marks this step)`}
      aria-expanded={open}
      aria-haspopup="dialog"
      disabled={off && !open}
      onClick={() => showMarks(!open)}
    >
      <I name="flag" />
      {count > 0 && <span class="watch-count">{count}</span>}
    </button>
  )
}

/** What playing stopped at. */
export function Stopped() {
  const text = useValue(stopped)
  return (
    <span class="looking hint clip" role="status" title={text}>
      {text}
    </span>
  )
}
