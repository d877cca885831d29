/** What an order of a network's operators keeps alive, if nothing is copied out. */
import type { Live } from '../lesson'

/**
 * Bytes alive while each operator runs. rows: the operators' rows by time; apart: each tensor has bytes of its own, also where the lowering has put
 * two into one buffer. O(operators + what they read and make).
 */
export function loadsOf(
  { model, problem }: Pick<Live, 'model' | 'problem'>,
  rows: ArrayLike<number>,
  apart = false,
): Float64Array {
  const loads = new Float64Array(rows.length)
  if (model === null) return loads
  const { ops, tensors } = model
  const place = new Map(Array.from(ops.row, (row, k) => [row, k]))
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  const sizes = apart ? tensors.bytes : problem.size
  const holder = (tensor: number) =>
    apart && (tensors.buffer[tensor] as number) >= 0 ? tensor : tensors.buffer[tensor]
  const touch = (buffer: number, time: number) => {
    if (buffer < 0) return
    if (!first.has(buffer)) first.set(buffer, time)
    last.set(buffer, time)
  }
  for (let time = 0; time < rows.length; time++) {
    const op = place.get(rows[time] as number) as number
    for (let k = ops.inputStart[op] as number; k < (ops.inputStart[op + 1] as number); k++)
      touch(holder(ops.inputs[k] as number) as number, time)
    for (let k = ops.outputStart[op] as number; k < (ops.outputStart[op + 1] as number); k++)
      touch(holder(ops.outputs[k] as number) as number, time)
    if (!apart) touch(ops.workspace[op] as number, time)
  }
  for (const [buffer, from] of first)
    for (let time = from; time <= (last.get(buffer) as number); time++)
      loads[time] = (loads[time] as number) + (sizes[buffer] as number)
  return loads
}
