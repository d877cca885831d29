/** Fetches what a search in layers told of each of them, once it has ended. */
import { looking } from '../../state/atoms'
import { beam } from '../../state/search/beam'
import { workbench } from '../../state/workbench_cells'
import { beamOf } from '../../state/search/beam_layers'
import type { Session } from '../session'

/** Of a longer search only the last steps are looked at. */
const MOST = 60_000
/** Milliseconds until it is asked again, where the page's own seeks were in the way. */
const AGAIN = 60

export class BeamWatch {
  private readonly exits: (() => void)[]
  private over = false
  private timer: ReturnType<typeof setTimeout> | undefined
  /** whose events were asked for */
  private asked: unknown = null

  constructor(private readonly session: Session) {
    const look = () => void this.look()
    this.exits = [workbench.run.subscribe(look), workbench.frame.subscribe(look)]
    look()
  }

  stop(): void {
    this.over = true
    clearTimeout(this.timer)
    for (const exit of this.exits.splice(0)) exit()
    beam.set(null)
  }

  /** The page's own seeks come first: this one waits for the frame after them. */
  private async look(): Promise<void> {
    const state = workbench.run.get()
    if (state.kind !== 'ended' && state.kind !== 'cancelled') {
      this.asked = null
      beam.set(null)
      return
    }
    const { result } = state
    if (this.asked === result || this.over) return
    if (!this.session.player.seeker.idle || looking.get() || workbench.frame.get() === null) {
      this.later()
      return
    }
    this.asked = result
    const { steps } = result.stats
    const found = await this.session.client.seek(steps, Math.min(steps, MOST), 0).catch(() => null)
    const now = workbench.run.get()
    if (this.over || (now.kind !== 'ended' && now.kind !== 'cancelled') || now.result !== result) return
    if (found === null) {
      this.asked = null
      this.later()
    } else beam.set(beamOf(found.events))
  }

  private later(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.look(), AGAIN)
  }
}
