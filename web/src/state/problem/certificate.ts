/** The certificate of what is shown: of a run that has ended, or of the buffers that alone do not fit. */
import type { Explanation, Problem, RunResult } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'

export type CertificateState =
  | { kind: 'making'; steps: number; of: number }
  | { kind: 'checking' }
  /** proven: bytes within which there is no plan; -1: none that it could be written of. csv: the problem that it is about, if that is a part. */
  | { kind: 'made'; proven: number; text: Blob; csv: string | null }
  | { kind: 'failed'; message: string }

/** What it is a certificate of, by identity: of anything newer there is none yet. */
export type Certified = RunResult | Explanation

export const certificate = new Cell<{ of: Certified; state: CertificateState } | null>(null)

/** Whether certificates have words for all that the problem has. O(gaps). */
export function hasWords(problem: Problem): boolean {
  const { gaps, pool, pools, rects } = problem
  const windows = gaps.some(({ windowLower, windowUpper }) => windowUpper > windowLower)
  return !windows && pool === undefined && pools === undefined && rects === undefined
}
