/** Our own networks with their parameters as texts: as forms give them and links carry them. */
import { type Entry, entryOf, generate, type Options, zoo } from '../../../../examples/zoo/index'
import type { SolverOption } from '../../../../wasm/client/types'
import { parseCount } from '../page/quantity'

export type { Entry }
export { entryOf as find, zoo as networks }

/** The side of a picture or the length of a text that no network outgrows here. */
const LARGEST = 65536
const BATCH = 4096

const whole = (name: string, title: string, initial: number, max: number, help: string): SolverOption => ({
  name,
  type: 'int',
  title,
  initial: String(initial),
  min: 1,
  max,
  choices: [],
  help,
})
const text = (name: string, title: string, initial: string, help: string): SolverOption => ({
  name,
  type: 'text',
  title,
  initial,
  min: 0,
  max: 0,
  choices: [],
  help,
})
const flag = (name: string, title: string, initial: boolean, help: string): SolverOption => ({
  name,
  type: 'bool',
  title,
  initial: String(initial),
  min: 0,
  max: 0,
  choices: [],
  help,
})

/** The parameters of a network, as a form shows them. */
export function parametersOf(entry: Entry): SolverOption[] {
  const { show } = entry
  return [
    flag(
      'fuse',
      'Fold batch norm and activations',
      true,
      'As a converter for inference does. Off: each is an operator.',
    ),
    flag(
      'weights',
      'With weights',
      true,
      'Weights and biases are tensors of their own; the lowering says where they live.',
    ),
    flag(
      'training',
      'Training step',
      false,
      'Gradients of all operators, backwards, and the update of each weight; nothing is folded then.',
    ),
    whole('size', 'Input size', entry.size, LARGEST, 'Pixels of the edge of the picture, or tokens of the text.'),
    whole('batch', 'Batch', entry.batch, BATCH, 'Inputs that run through the network together.'),
    {
      ...text('bytes', 'Element', '1', 'Bytes of an element of a tensor.'),
      type: 'choice',
      choices: ['1', '2', '4'],
    },
    text(
      'first',
      'First operator',
      String(show?.options?.first ?? ''),
      'By index or id. What comes before it is cut off; empty: none.',
    ),
    text(
      'last',
      'Last operator',
      String(show?.options?.last ?? ''),
      'By index or id. What comes after it is cut off; empty: none.',
    ),
  ]
}

function count(values: Record<string, string>, name: string, max: number): number | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  const parsed = parseCount(given, 1, max)
  if (!parsed.ok) throw new Error(`${name}: ${parsed.message}`)
  return parsed.value
}

/** Throws a sentence for values that no network takes. */
export function optionsOf(entry: Entry, values: Record<string, string>): Options {
  const made: Options = { ...entry.show?.options }
  const size = count(values, 'size', LARGEST)
  const batch = count(values, 'batch', BATCH)
  const bytes = count(values, 'bytes', 8)
  if (size !== undefined) made.size = size
  if (batch !== undefined) made.batch = batch
  if (bytes !== undefined) made.bytes = bytes
  if (values.fuse !== undefined) made.fuse = values.fuse === 'true'
  if (values.weights !== undefined) made.weights = values.weights === 'true'
  if (values.training !== undefined) made.training = values.training === 'true'
  for (const end of ['first', 'last'] as const) {
    const given = values[end]?.trim()
    if (given === '') delete made[end]
    else if (given !== undefined) made[end] = given
  }
  return made
}

export async function make(entry: Entry, values: Record<string, string>) {
  return generate(entry, optionsOf(entry, values))
}
