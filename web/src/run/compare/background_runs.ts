/** Runs in the background whose result is all that is kept of them: capacity sweeps, and solvers over many problems. */
import { type Client, ClientError, type Problem, type RunConfig } from '../../../../wasm/client/types'
import { isOther } from '../../state/compare/others'
import { type ResultCell, cellOf, emptyCell, outcomeOfFailure } from '../../state/compare/results'

import { runOther } from './others'

/** How far a list of runs is. */
export type Work =
  | { kind: 'running'; done: number; total: number }
  | { kind: 'done'; done: number; total: number }
  | { kind: 'cancelled'; done: number; total: number }
  | { kind: 'failed'; done: number; total: number; message: string }

/** No worker is to be had at all: there is no use in going on. */
export function hopeless(error: unknown): boolean {
  return !(error instanceof ClientError) || error.reason === 'protocol'
}

/** One run on the problem that the client has open. A worker that is lost costs this run only. Solvers of others have workers of their own. */
export async function solve(
  client: Client,
  config: RunConfig,
  problem: Problem,
  signal: AbortSignal,
): Promise<ResultCell> {
  const { solver } = config
  if (isOther(solver)) return runOther(client, { ...config, solver }, problem, signal)
  try {
    return cellOf((await client.run(config, () => {})).stats)
  } catch (error) {
    if (!(error instanceof ClientError) || hopeless(error)) throw error
    return emptyCell(outcomeOfFailure(error.reason), error.message)
  }
}
