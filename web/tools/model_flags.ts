/** What is written behind `arenascope-model`. */
import { type ImportAnswers, NO_ANSWERS, type Switch } from '../src/import/imported'
import { KERNELS } from '../src/import/tflite/scratch'

export const FORMS = ['graph', 'graph-json', 'csv', 'json', 'header', 'tflite', 'buffer-plan'] as const
export type Form = (typeof FORMS)[number]

export const USAGE = `usage: arenascope-model [OPTION...] MODEL

  MODEL              a .tflite, .onnx or JSON graph, a table of Vela or a memory plan of TFLite Micro; - is standard input

What the file leaves open
  --dim=NAME=N,...   sides, as batch=1,seq=128
  --bytes=ID=N,...   sizes of tensors
  --value=ID=N,...   the numbers in a small input, as sr=16000: decides which branch of an If runs
  --kernels=KIND     whose scratch a .tflite needs: reference (TFLite Micro's own), cmsis-nn-dsp, cmsis-nn-helium or none
  --no-fold          leave what works on constants alone, does nothing or is read by nobody
  --no-fuse          keep batch normalisation and activations apart
  --no-qdq           operators between DequantizeLinear and QuantizeLinear work on floats

The plan
  --capacity=BYTES   memory that it must fit into; without it the least is looked for
  --solver=ID        exact, tflm, litert, ... (arenascope solvers lists them)
  --steps=N          budget in search steps, 10000000 unless given; 0: none
  --seed=N           for solvers that choose at random
  --OPTION=VALUE     of the lowering (arenascope help lower) or of the solver (arenascope solvers ID)

What to write; FILE - is standard output
  --graph=FILE       the model as graph CSV, or what else it was as buffer CSV
  --graph-json=FILE  the model as graph JSON
  --csv=FILE         the buffers with their offsets
  --json=FILE        the plan with all that is needed to make it again
  --header=FILE      the plan as a C header
  --tflite=FILE      a copy of the .tflite with the plan for TFLite Micro
  --buffer-plan=FILE the plan as a C struct for TFLite Micro

One line about the plan goes to standard output, unless that is a FILE; notes and questions go to standard error.
Exit status: 0 it fits, or no plan was asked for; 1 it cannot fit; 2 wrong usage, or the file cannot be read or leaves something open;
3 undecided.
`

export class Usage extends Error {}

export interface Flags {
  path: string
  answers: ImportAnswers
  files: Map<Form, string>
  /** undefined: the least that is enough */
  capacity: number | undefined
  solver: string
  steps: number
  seed: number
  /** of the lowering or the solver, as they stand */
  options: Record<string, string>
}

/** NAME=N,...; a name may itself contain equals signs and commas. */
function numbers(text: string, option: string): Record<string, number> {
  return Object.fromEntries(
    text.split(/(?<==\d+),/).map((item) => {
      const [, name, value] = /^(.+)=(\d+)$/.exec(item) ?? []
      if (name === undefined) throw new Usage(`--${option}: “${item}” is not NAME=N`)
      return [name, Number(value)]
    }),
  )
}

/** ID=N,...: all the numbers of one input. */
function values(text: string, option: string): Record<string, number[]> {
  const [, name, list] = /^(.+)=(-?\d+(?:,-?\d+)*)$/.exec(text) ?? []
  if (name === undefined || list === undefined) throw new Usage(`--${option}: “${text}” is not ID=N,...`)
  return { [name]: list.split(',').map(Number) }
}

function count(text: string, option: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Usage(`--${option}: “${text}” is no whole number`)
  return value
}

function kernels(text: string): NonNullable<ImportAnswers['kernels']> {
  const known = KERNELS.find((one) => one === text)
  if (!known) throw new Usage(`--kernels: “${text}” is none of ${KERNELS.join(', ')}`)
  return known
}

function isForm(option: string): option is Form {
  return (FORMS as readonly string[]).includes(option)
}

function take(flags: Flags, option: string, value: string): void {
  const { answers } = flags
  if (option === 'dim') Object.assign(answers.dims, numbers(value, option))
  else if (option === 'bytes') Object.assign(answers.bytes, numbers(value, option))
  else if (option === 'value') Object.assign(answers.values, values(value, option))
  else if (option === 'kernels') answers.kernels = kernels(value)
  else if (option === 'capacity') flags.capacity = count(value, option)
  else if (option === 'steps') flags.steps = count(value, option)
  else if (option === 'seed') flags.seed = count(value, option)
  else if (option === 'solver') flags.solver = value
  else if (isForm(option)) flags.files.set(option, value)
  else flags.options[option] = value
}

const SWITCHES: Readonly<Record<string, Switch>> = { 'no-fold': 'fold', 'no-fuse': 'fuse', 'no-qdq': 'qdq' }

/** Throws Usage. */
export function parse(args: readonly string[]): Flags {
  const answers = { ...NO_ANSWERS, dims: {}, bytes: {}, values: {} }
  const flags: Flags = {
    path: '',
    answers,
    files: new Map(),
    capacity: undefined,
    solver: 'exact',
    steps: 10_000_000,
    seed: 0,
    options: {},
  }
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, option, own] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (option === undefined) {
      if (flags.path !== '') throw new Usage(`one model at a time: ${flags.path} and ${arg}`)
      flags.path = arg
      continue
    }
    const named = SWITCHES[option]
    if (named && own === undefined) {
      answers[named] = false
      continue
    }
    const value = own ?? rest.shift()
    if (value === undefined) throw new Usage(`--${option} needs a value`)
    take(flags, option, value)
  }
  if (flags.path === '') throw new Usage('no model is named')
  const onOutput = [...flags.files.values()].filter((file) => file === '-')
  if (onOutput.length > 1) throw new Usage('only one form fits on standard output')
  return flags
}
