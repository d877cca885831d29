/** A drag on the canvas as edits: each is made when the one before it is done, the newest only, and Undo takes all of them back as one. */
import type { Change } from '../../state/edit/edit_csv'
import { dragSearched } from '../../state/edit/editing'
import { workbench } from '../../state/workbench_cells'
import type { Opened } from '../../state/workbench_values'
import type { Session } from '../session'
import { change, travel } from './edit'
import { holdUndo } from './undo_history'

/** A search of more buffers, or one that took longer in seconds, follows when the drag is over. */
const MOST_BUFFERS = 500
const LONGEST = 0.05

function quick(): boolean {
  const state = workbench.run.get()
  const few = (workbench.opened.get()?.problem.count ?? Number.POSITIVE_INFINITY) <= MOST_BUFFERS
  return few && state.kind === 'ended' && state.result.stats.seconds <= LONGEST
}

/** What a drag has come to, in which problem. */
interface Wanted {
  change: Change
  seen: Opened | null
}

const inThis = (change: Change): Wanted => ({ change, seen: workbench.opened.get() })

export class Follower {
  private wanted: Wanted | null = null
  private work: Promise<void> | null = null
  private going = false
  private made = false
  /** the drag before this one is being ended or taken back */
  private ending: Promise<void> | null = null

  constructor(
    private readonly session: Session,
    /** why an edit was not made */
    private readonly told: (why: string) => void,
  ) {}

  /** The drag has come to this. */
  during(asked: Change): void {
    if (this.ending !== null) return
    if (!this.going) {
      this.going = true
      this.made = false
      if (quick()) holdUndo(true)
    }
    if (this.made || quick()) this.want(inThis(asked))
  }

  /** It is let go of here. */
  end(asked: Change): Promise<void> {
    const wanted = inThis(asked)
    return this.over(async () => {
      this.want(wanted)
      await this.work
    })
  }

  /** As before it. */
  cancel(): Promise<void> {
    return this.over(async () => {
      this.wanted = null
      await this.work
      if (this.made) await travel(this.session, -1)
    })
  }

  /** One after the other. */
  private over(finish: () => Promise<void>): Promise<void> {
    const mine = (this.ending ?? Promise.resolve()).then(finish).finally(() => {
      this.going = false
      this.made = false
      holdUndo(false)
      if (this.ending === mine) this.ending = null
    })
    this.ending = mine
    return mine
  }

  private want(wanted: Wanted): void {
    this.wanted = wanted
    dragSearched.set(true)
    this.work ??= this.follow().finally(() => {
      this.work = null
      dragSearched.set(false)
    })
  }

  private async follow(): Promise<void> {
    for (let next = this.wanted; next !== null; next = this.wanted) {
      this.wanted = null
      const why = await change(this.session, next.change, next.seen)
      this.made ||= why === ''
      if (why !== '' && this.wanted === null) this.told(why)
    }
  }
}
