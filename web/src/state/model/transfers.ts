/** What a plan of a graph moves between the arena and the memory outside, and when. */
import type { GraphModel, Plan } from '../../../../wasm/client/types'
import type { Transfer } from '../../layout/scene'

/**
 * In order of time, spills first. What must be copied in any case is none: an input's first coming, an output's going. Their bytes sum up to what
 * the goal of least traffic counts. O(stays log stays).
 */
export function transfersOf(plan: Plan, model: GraphModel): Transfer[] {
  const { stays } = plan
  const { tensors } = model
  const inside = new Map<number, number[]>()
  const outside: number[] = []
  for (let k = 0; k < stays.count; k++) {
    const item = stays.item[k] as number
    if (item >= tensors.count) continue
    if (stays.outside[k] === 1) outside.push(k)
    else inside.set(item, [...(inside.get(item) ?? []), k])
  }
  const lower = (stay: number) => stays.lower[stay] as number
  const upper = (stay: number) => stays.upper[stay] as number
  const list: Transfer[] = []
  for (const copy of outside) {
    const tensor = stays.item[copy] as number
    const own = (inside.get(tensor) ?? []).sort((x, y) => lower(x) - lower(y))
    const bytes = tensors.bytes[tensor] as number
    const add = (kind: Transfer['kind'], time: number, stay: number) =>
      list.push({ kind, time, tensor, bytes, inside: stay, outside: copy })
    const left = own.findLast((stay) => upper(stay) <= lower(copy))
    const given = (tensors.kind[tensor] ?? '').includes('output')
    if (lower(copy) > 0 && left !== undefined && !given) add('spill', lower(copy), left)
    own.forEach((stay, k) => {
      // one that moves by way of outside is there for no time
      if (k > 0 && lower(stay) >= lower(copy) && lower(stay) <= upper(copy)) add('fetch', lower(stay), stay)
    })
  }
  const late = ({ kind }: Transfer) => (kind === 'fetch' ? 1 : 0)
  return list.sort((x, y) => x.time - y.time || late(x) - late(y) || x.tensor - y.tensor)
}

export const trafficOf = (transfers: readonly Transfer[]): number =>
  transfers.reduce((sum, { bytes }) => sum + bytes, 0)

/** Names of the operators in the order of a plan. */
export function orderNames(plan: Plan, model: GraphModel): string[] {
  const atRow: string[] = []
  for (let k = 0; k < model.ops.count; k++) atRow[model.ops.row[k] ?? k] = model.ops.ids[k] ?? ''
  return Array.from(plan.order, (row) => atRow[row] ?? String(row))
}
