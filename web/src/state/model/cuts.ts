/** Where a search parted the graph, for the operators as they are shown. */
import type { GraphModel } from '../../../../wasm/client/types'
import { type ByteUnit, bytesIn, thousands } from '../../base/format'
import type { GraphCut, GraphParts } from '../../layout/scene'

/** null: it did not. rows of `cuts` are those of the operators in the graph. O(operators). */
export function partsOf(model: GraphModel, cuts: readonly GraphCut[], unit: ByteUnit): GraphParts | null {
  if (cuts.length === 0) return null
  const { count, row } = model.ops
  const at = new Uint32Array(count)
  for (let k = 0; k < count; k++) at[row[k] as number] = k
  const part = new Uint32Array(count).fill(cuts.length)
  for (const [k, { operators }] of cuts.entries()) for (const one of operators) part[at[one] as number] = k
  const flags = cuts.map(({ operators, live }, k) => ({
    // the last of its part in the order that is shown
    op: operators.reduce((last, one) => Math.max(last, at[one] as number), 0),
    text: `cut ${thousands(k + 1)}: ${bytesIn(live, unit)}`,
  }))
  return { part, flags }
}
