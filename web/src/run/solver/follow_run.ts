/** One run from its start to its end, as the page sees it: who drives it says which cells it is written to. */
import { type Client, ClientError, type Frame, type RunConfig } from '../../../../wasm/client/types'
import type { Writable } from '../../base/cell'
import type { RunState, ShownResult } from '../../state/workbench_values'

export interface RunCells {
  run: Writable<RunState>
  /** the step shown */
  cursor: Writable<number>
  frame: Writable<Frame | null>
}

type Tell = Parameters<Client['run']>[1]

/**
 * Follows a run while it is the current one. True once it has ended as such; false if another took its place meanwhile. Rejects with what
 * became of the worker.
 */
export async function followRun(
  cells: RunCells,
  config: RunConfig,
  go: (tell: Tell) => Promise<ShownResult>,
  current: () => boolean,
): Promise<boolean> {
  cells.run.set({ kind: 'running', config, progress: null, since: performance.now(), plan: null })
  const result = await go((progress) => {
    const state = cells.run.get()
    if (!current() || state.kind !== 'running') return
    cells.cursor.set(progress.stats.steps)
    if (progress.frame !== null) cells.frame.set(progress.frame)
    cells.run.set({ ...state, progress, plan: progress.incumbent ?? state.plan })
  })
  if (!current()) return false
  const kind = result.stats.outcome === 'cancelled' ? 'cancelled' : 'ended'
  cells.run.set({ kind, config, result })
  return true
}

/**
 * What a run had found before its worker was lost, as if it had been cancelled there; null if that is nothing to go on with: nothing was
 * told yet, or it broke at a step without having a plan.
 */
export function foundBefore(state: RunState, error: unknown): RunState | null {
  if (state.kind !== 'running' || state.progress === null) return null
  const silent = error instanceof ClientError && error.reason === 'silent'
  if (!silent && state.plan === null) return null
  const { config, progress, plan } = state
  const stats = { ...progress.stats, outcome: 'cancelled' as const }
  return { kind: 'cancelled', config, result: { stats, overview: progress.overview, best: plan, conflict: [] } }
}

/** What is left of a run whose worker was lost. */
export function failedRun(cells: RunCells, config: RunConfig, error: unknown): RunState {
  const state = cells.run.get()
  const reason = error instanceof ClientError ? error.reason : 'protocol'
  const message = error instanceof Error ? error.message : String(error)
  const step = state.kind === 'running' ? (state.progress?.stats.steps ?? 0) : cells.cursor.get()
  return { kind: 'failed', config, reason, message, step }
}
