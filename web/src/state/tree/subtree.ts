/** What happened above one placement until it was taken back, as a tree: made from the events of those steps. */
import { EFFECTS, hasEffect, type StepWith, spotOf } from '../../../../wasm/client/events'
import type { SearchEvent } from '../../../../wasm/client/types'
import type { Branch } from '../../layout/scene'

/** A placement, what was tried instead of one, or, of nobody, a floor left idle. */
function branch(event: StepWith<'opens' | 'discards' | 'idles'>): Branch {
  const { step, kind } = event
  const spot = spotOf(event)
  const rule = 'rule' in event ? event.rule : 0
  const count = spot === null ? 0 : 'count' in event ? event.count : 1
  const at = spot ?? { buffer: -1, offset: 'floor' in event ? event.floor : 0 }
  return { step, end: step, kind, buffer: at.buffer, offset: at.offset, count, rule, children: [] }
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
    if (hasEffect(event, 'opens')) {
      const made = branch(event)
      children().push(made)
      open.push(made)
    } else if (hasEffect(event, 'discards') || hasEffect(event, 'idles')) children().push(branch(event))
    else if (hasEffect(event, 'returns') || hasEffect(event, 'rebuilds')) {
      // where everybody may lie elsewhere no placement goes on
      const to = hasEffect(event, 'returns') ? Math.max(0, event.to - depth) : 0
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
    const alike = last !== undefined && last.kind === branch.kind && last.rule === branch.rule
    if (alike && EFFECTS[branch.kind] === 'discards')
      out[out.length - 1] = { ...last, end: branch.end, count: last.count + branch.count }
    else out.push({ ...branch, children: condensed(branch.children) })
  }
  return out
}
