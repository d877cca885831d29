/** Looks for buffers by id or, in a model, by what makes them, and goes from one that was found to the next. */
import type { Problem } from '../../../../wasm/client/types'
import { type Pause, pausesWhile } from '../../base/slices'
import { found, matches } from '../../state/canvas/canvas'
import { operators } from '../../state/workbench'
import { makerName } from '../../state/model/operators'
import type { Actions } from '../actions'
import { workbench } from '../../state/workbench_cells'

/** Names looked at between two pauses. */
const GRAIN = 2048

/** Whether a name holds the text; with * (anything) or ? (one character) in it, whether the whole name is like it. */
export function matcher(text: string): (name: string) => boolean {
  const wanted = text.trim().toLowerCase()
  if (!/[*?]/.test(wanted)) return (name) => name.toLowerCase().includes(wanted)
  const source = wanted
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  const pattern = new RegExp(`^${source}$`, 'is')
  return (name) => pattern.test(name)
}

async function look(problem: Problem, text: string, pause: Pause): Promise<Uint32Array | null> {
  const fits = matcher(text)
  const makers = operators.get()
  const list = new Uint32Array(problem.count)
  let count = 0
  for (let from = 0; from < problem.count; from += GRAIN) {
    problem.ids.slice(from, from + GRAIN).forEach((id, k) => {
      if (fits(id) || (makers !== null && fits(makerName(makers, from + k)))) list[count++] = from + k
    })
    if (!(await pause())) return null
  }
  return list.slice(0, count)
}

/** Sets what is searched for. What it finds comes at once, or, where there is much to look at, a little later. */
export async function find(text: string): Promise<void> {
  workbench.filter.set(text)
  const problem = workbench.opened.get()?.problem
  if (problem === undefined || text.trim() === '') return
  const wanted = () => workbench.filter.get() === text && workbench.opened.get()?.problem === problem
  const list = await look(problem, text, pausesWhile(wanted))
  if (list === null || !wanted()) return
  const mask = new Uint8Array(problem.count)
  for (const k of list) mask[k] = 1
  found.set({ problem, value: { text, list, mask } })
}

/** Position of a buffer among those found, -1: it is none of them. O(log n). */
export function placeOf(list: Uint32Array, buffer: number): number {
  let lo = 0
  let hi = list.length
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if ((list[mid] as number) < buffer) lo = mid + 1
    else hi = mid
  }
  return list[lo] === buffer ? lo : -1
}

/** Pins the next one found, or the one before, round and round, and brings it into sight. */
export function goToMatch(actions: Actions, by: 1 | -1): void {
  const list = matches.get()?.list
  if (list === undefined || list.length === 0) return
  const at = placeOf(list, workbench.pinned.get())
  const next = at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length
  actions.canvas.reveal(list[next] ?? 0)
}
