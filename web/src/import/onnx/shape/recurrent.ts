/** LSTM, GRU and RNN: all steps, then the last states. */
import { type Call, list, type Results, type Rule, type Rules, tensor } from './rule'

/** turned: the weight is stored with its last two sides exchanged. */
function cell(call: Call, gates: number, states: number, turned = false): Results {
  const input = call.rank(0, 3, 3)
  const weight = call.rank(1, 3, 3)
  const recurrence = call.rank(2, 3, 3)
  const last = call.int('layout', 0) === 1
  const [batch, steps] = (last ? [input[0], input[1]] : [input[1], input[0]]) as [number, number]
  const hidden = call.int('hidden_size', recurrence[turned ? 1 : 2] as number)
  const directions = call.text('direction', 'forward') === 'bidirectional' ? 2 : 1
  const sides = [gates * hidden, input[2] as number]
  const expected = [directions, ...(turned ? sides.reverse() : sides)]
  if (list(weight) !== list(expected))
    call.wrong(`the weight has the shape ${list(weight)}, but ${list(expected)} is expected`)
  const dtype = call.dtype(0)
  const all = tensor(dtype, last ? [batch, steps, directions, hidden] : [steps, directions, batch, hidden])
  const state = tensor(dtype, last ? [batch, directions, hidden] : [directions, batch, hidden])
  return [all, ...new Array(states).fill(state)].slice(0, Math.max(1, call.outputs))
}

const of =
  (gates: number, states: number): Rule =>
  (call) =>
    cell(call, gates, states)

export const recurrent: Rules = { LSTM: of(4, 2), GRU: of(3, 1), RNN: of(1, 1) }

/** Of the domain com.microsoft: weights as the product takes them. */
export const quantisedRecurrent: Rules = { DynamicQuantizeLSTM: (call) => cell(call, 4, 2, true) }
