import type { FileSubgraph } from './file'

/**
 * Tensors of the type "resource" name a variable or a table that lies elsewhere. Those that these operators make hold no bytes of the arena: the
 * kernels point them at their own data (VarHandlePrepare of TFLite Micro's var_handle.cc, LiteRT's var_handle.cc and hashtable.cc).
 */
const MAKERS: readonly string[] = ['VAR_HANDLE', 'HASHTABLE']

/** What any other tensor of the type takes for each element: TFLite Micro plans it as an int32 (memory_helpers.cc). */
export const HANDLE_BITS = 32

/** Indices of the handles that take no memory of the arena. */
export function handlesOf(subgraph: FileSubgraph): ReadonlySet<number> {
  return new Set(subgraph.ops.flatMap(({ type, outputs }) => (MAKERS.includes(type) ? outputs : [])))
}
