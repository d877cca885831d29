/**
 * Keeps the search tree around the step shown. The newest frame wins, as with seeking; while nothing plays the look back goes on in rounds,
 * until every node of the path is whole or too many steps were taken again for it.
 */
import { EFFECTS } from '../../../../wasm/client/events'
import type { Attempt, Client, Frame, TreePath } from '../../../../wasm/client/types'
import { looking, playing } from '../../state/atoms'
import {
  LEVELS,
  MOST,
  recent,
  subtrees,
  tree,
  treeLevels,
  treeLooking,
  treeMost,
  unfoldedRuns,
} from '../../state/tree/tree'
import type { Branch } from '../../layout/scene'
import { branchesAbove, condensed } from '../../state/tree/subtree'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'

/** Steps to look back over at first, so that something stands there at once; then in rounds, up to the last. */
const QUICK = 4_000
const ROUND = 100_000
const ROUNDS = 40
/** A subtree with more steps is not unfolded: it is gone to. */
export const LARGEST = 600
export const RECENT = 200

export class TreeWatch {
  private readonly exits: (() => void)[] = []
  private wanted: Frame | null = null
  private busy = false
  private patience = ROUNDS
  private over = false

  constructor(private readonly session: Session) {}

  private get client(): Client {
    return this.session.client
  }

  start(): void {
    const ask = () => this.ask(workbench.frame.get())
    this.exits.push(
      workbench.frame.subscribe(ask),
      treeLevels.subscribe(ask),
      treeMost.subscribe(ask),
      recent.subscribe(ask),
    )
    this.exits.push(playing.subscribe(() => playing.get() || ask()))
    this.exits.push(
      workbench.run.subscribe(() => {
        if (workbench.run.get().kind === 'running' || workbench.run.get().kind === 'idle') forget()
        else ask()
      }),
    )
    ask()
  }

  stop(): void {
    this.over = true
    for (const exit of this.exits.splice(0)) exit()
    this.wanted = null
  }

  /** Goes on looking where it was given up. */
  lookFurther(): void {
    this.patience += ROUNDS
    this.ask(workbench.frame.get())
  }

  private ask(shown: Frame | null): void {
    const kind = workbench.run.get().kind
    if (shown === null || (kind !== 'ended' && kind !== 'cancelled')) return
    this.wanted = shown
    if (!this.busy) void this.pump()
  }

  private async pump(): Promise<void> {
    this.busy = true
    try {
      while (this.wanted !== null) {
        const shown: Frame = this.wanted
        this.wanted = null
        await this.look(shown)
      }
    } catch (error) {
      this.wanted = null
      tree.set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    } finally {
      this.busy = false
      treeLooking.set(false)
    }
  }

  private async look(shown: Frame): Promise<void> {
    if (shown.tried === null) {
      tree.set({ kind: 'known', known: { frame: shown, path: null } })
      return
    }
    const now = tree.get()
    const same = now.kind === 'known' && now.known.frame.step === shown.step
    if (!same) this.patience = ROUNDS
    for (let round = 0; round <= this.patience; round++) {
      const limit = round === 0 ? QUICK : ROUND
      const path = await this.client.path(shown.step, treeLevels.get(), treeMost.get(), limit)
      if (path === null || this.over || path.step !== shown.step) return
      if (this.wanted !== null && round > 0) return
      if (round === 0 && recent.get()) await this.unfoldRecent(path)
      tree.set({ kind: 'known', known: { frame: shown, path } })
      if (path.whole || playing.get() || this.wanted !== null) return
      treeLooking.set(true)
    }
  }

  /** What was taken back within the last steps, from the events of these steps. */
  private async unfoldRecent(path: TreePath): Promise<void> {
    const from = Math.max(0, path.step - RECENT)
    const events = await this.events(path.step, path.step - from)
    if (events === null) return
    const inside = new Map<number, Branch[]>()
    path.nodes.forEach(({ attempts }, k) => {
      for (const attempt of attempts)
        if (EFFECTS[attempt.kind] === 'opens' && attempt.step > from)
          inside.set(attempt.step, condensed(branchesAbove(events, path.top + k + 1, attempt.step, attempt.end)))
    })
    subtrees.set(inside)
  }

  /** level: of the placement. Folds it again if it is unfolded; false: it is too large, or the page seeks just now. */
  async unfold(attempt: Attempt, level: number): Promise<boolean> {
    if (subtrees.get().has(attempt.step)) {
      subtrees.update((all) => new Map([...all].filter(([step]) => step !== attempt.step)))
      return true
    }
    const steps = attempt.end - attempt.step
    if (steps > LARGEST) return false
    const events = await this.events(attempt.end, steps)
    if (events === null || this.over) return false
    const inside = condensed(branchesAbove(events, level, attempt.step, attempt.end))
    subtrees.update((all) => new Map([...all, [attempt.step, inside]]))
    return true
  }

  /** Null if the page seeks or looks for a step meanwhile: that must never be overtaken by this. */
  private async events(step: number, before: number): Promise<Frame['events'] | null> {
    if (!this.session.player.seeker.idle || looking.get()) return null
    // the search may be gone by then, and its tree with it
    return (await this.client.seek(step, before, 0).catch(() => null))?.events ?? null
  }
}

export function foldAll(): void {
  subtrees.set(new Map())
  unfoldedRuns.set(new Set())
  treeLevels.set(LEVELS)
  treeMost.set(MOST)
}

function forget(): void {
  tree.set({ kind: 'none' })
  treeLooking.set(false)
  foldAll()
}
