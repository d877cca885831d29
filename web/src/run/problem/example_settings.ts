/** Settings that came with an example or a network, and go with it. */
import { manifest } from '../../state/atoms'
import { zoo } from '../../state/model/zoo'
import { findExample } from '../../state/problem/examples'
import { workbench } from '../../state/workbench_cells'
import type { Opened, Source } from '../../state/workbench_values'

/**
 * An example may come with a solver and options that make it tell its story; the next problem must not inherit them unseen. Options that
 * were changed by hand stay, and the solver with them.
 */
export function dropExampleSettings(before: Opened | null): void {
  dropNetworkSolver(before?.source)
  if (before?.source.kind !== 'example') return
  const example = findExample(before.source.file)
  if (example === undefined || !sameOptions(workbench.options.get()[example.solver] ?? {}, example.options)) return
  workbench.options.update((all) => ({ ...all, [example.solver]: {} }))
  const first = manifest.get()?.solvers[0]?.id
  if (first !== undefined && workbench.solver.get() === example.solver) workbench.solver.set(first)
}

/** The solver with which a network of ours tells its story. */
function dropNetworkSolver(source: Source | undefined): void {
  if (source?.kind !== 'model' || source.from.kind !== 'zoo') return
  const part = zoo.arrival.get()
  const shown = part.kind === 'there' ? part.part.find(source.from.id)?.show : undefined
  const first = manifest.get()?.solvers[0]?.id
  if (shown !== undefined && first !== undefined && workbench.solver.get() === shown.solver) workbench.solver.set(first)
}

export function sameOptions(x: Record<string, string>, y: Record<string, string>): boolean {
  const names = Object.keys(x)
  return names.length === Object.keys(y).length && names.every((name) => x[name] === y[name])
}
