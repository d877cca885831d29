/** The rows of the buffers table: which, and in what order. */
import type { Frame, Problem } from '../../../../wasm/client/types'

export type Column = 'id' | 'lower' | 'upper' | 'size' | 'alignment' | 'pool' | 'offset' | 'level'
export interface Order {
  column: Column
  down: boolean
}

const byId = new Intl.Collator('en', { numeric: true })

/** Compares two buffers by a column; ties by index. */
export function comparatorOf(problem: Problem, shown: Frame | null, order: Order): (x: number, y: number) => number {
  const sign = order.down ? -1 : 1
  if (order.column === 'id') {
    const { ids } = problem
    const known = new Array<string | undefined>(problem.count)
    const id = (k: number) => {
      known[k] ??= ids.at(k) ?? ''
      return known[k]
    }
    return (x, y) => sign * byId.compare(id(x), id(y)) || x - y
  }
  const values = { ...problem, offset: shown?.offset, level: shown?.level }[order.column]
  if (values === undefined) return (x, y) => x - y
  return (x, y) => sign * ((values[x] as number) - (values[y] as number)) || x - y
}

/** The buffers of a table in file order: those that were found, or all. */
export function unordered(problem: Problem, found: Uint32Array | null): Uint32Array<ArrayBuffer> {
  if (found !== null) return found.slice()
  const list = new Uint32Array(problem.count)
  for (let k = 0; k < list.length; k++) list[k] = k
  return list
}
