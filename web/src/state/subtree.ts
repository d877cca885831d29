/** What happened above one placement until it was taken back, as a tree: made from the events of those steps. */
import type { SearchEvent } from '../../../wasm/client/types'
import type { Branch } from '../layout/scene'

function discard({ step, id, args }: SearchEvent): Branch {
  const [buffer, offset, rule] = args
  const count = id === 'skip' ? args[5] : 1
  return { step, end: step, id: id as 'reject' | 'skip', buffer, offset, count, rule, children: [] }
}

function placement({ step, args }: SearchEvent): Branch {
  const [buffer, offset] = args
  return { step, end: step, id: 'place', buffer, offset, count: 1, rule: 0, children: [] }
}

function waste({ step, args }: SearchEvent): Branch {
  return { step, end: step, id: 'waste', buffer: -1, offset: args[1], count: 0, rule: 0, children: [] }
}

/**
 * The branches above the node with `depth` buffers placed, from the events of steps after `first` up to `last`. Events of details and of other
 * steps are passed over. O(events).
 */
export function branchesAbove(events: SearchEvent[], depth: number, first: number, last: number): Branch[] {
  const root: Branch[] = []
  // open[k]: the placement at level depth + 1 + k under way
  const open: Branch[] = []
  const children = () => open.at(-1)?.children ?? root
  for (const event of events) {
    if (event.step <= first || event.step > last) continue
    if (event.id === 'place') {
      const made = placement(event)
      children().push(made)
      open.push(made)
    } else if (event.id === 'reject' || event.id === 'skip') children().push(discard(event))
    else if (event.id === 'waste') children().push(waste(event))
    else if (event.id === 'backtrack') {
      const to = Math.max(0, event.args[1] - depth)
      for (const left of open.splice(to)) left.end = event.step
    }
  }
  for (const left of open) left.end = last
  return root
}

/** The same with what one rule discards in a row as one branch, from its first step to its last: a drawing has no room for each. */
export function condensed(branches: Branch[]): Branch[] {
  const out: Branch[] = []
  for (const branch of branches) {
    const last = out.at(-1)
    const alike = last !== undefined && last.id === branch.id && last.rule === branch.rule
    if (alike && (branch.id === 'reject' || branch.id === 'skip'))
      out[out.length - 1] = { ...last, end: branch.end, count: last.count + branch.count }
    else out.push({ ...branch, children: condensed(branch.children) })
  }
  return out
}
