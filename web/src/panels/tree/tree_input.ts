/** What the tree is laid out from, and its marks in words. */
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { TreeMark, TreeInput } from '../../layout/tree/tree'
import { manifest } from '../../state/atoms'
import { decides, shownSolver, opened, problem } from '../../state/workbench'
import { fateWords, type TreeWords } from '../../state/tree/tell_tree'
import { subtrees, type TreeKnown, unfoldedRuns } from '../../state/tree/tree'

export const nameOf = (buffer: number): string => opened.get()?.problem.ids.at(buffer) ?? ''

export function treeInput({ frame, path }: TreeKnown, width: number): TreeInput | null {
  const known = manifest.get()
  const problem = opened.get()?.problem
  if (known === null || problem === undefined || path === null) return null
  if (frame.tried === null || frame.candidates === null) return null
  return {
    path,
    stack: frame.stack,
    tried: frame.tried,
    candidates: frame.candidates,
    manifest: known,
    count: problem.count,
    name: nameOf,
    unfolded: unfoldedRuns.get(),
    subtrees: subtrees.get(),
    width,
  }
}

function words(): TreeWords | null {
  const known = manifest.get()
  const solver = shownSolver.get()
  return known === null ? null : { manifest: known, complete: solver !== null && decides(solver, problem.get()) }
}

export function useWords(): TreeWords | null {
  useValue(manifest)
  useValue(shownSolver)
  useValue(problem)
  return words()
}

/** "level 5, b7 at 12 B: section bound, step 40" */
export function wordsOf(mark: TreeMark): string {
  const known = words()
  const fate = known === null ? '' : fateWords(mark, known)
  const who = mark.buffer >= 0 ? `${nameOf(mark.buffer)}: ` : ''
  const where = mark.level > 0 ? `level ${thousands(mark.level)}, ` : ''
  return `${where}${who}${fate}${mark.step >= 0 ? `, step ${thousands(mark.step)}` : ''}`
}
