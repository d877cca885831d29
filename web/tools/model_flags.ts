/** What is written behind `arenascope-model`: one table, from which it is read and from which the help is written. */
import { KERNEL_NAMES, SWITCHES } from '../src/import/answer_options'
import { type ImportAnswers, NO_ANSWERS, type ScratchRow, type Switch } from '../src/import/imported'
import { KERNELS } from '../src/import/tflite/scratch'
import { PLANNERS } from '../src/state/model/planner_lowerings'
import { type Profile, usable } from '../src/state/profile/profile'
import { known } from '../src/state/profile/profile_texts'
import type { Asked } from './model_solve'
import { Usage } from './usage'

export const FORMS = ['graph', 'graph-json', 'csv', 'json', 'header', 'tflite', 'buffer-plan'] as const
export type Form = (typeof FORMS)[number]

export interface Flags extends Asked {
  path: string
  answers: ImportAnswers
  files: Map<Form, string>
  /** the other one of two files that belong together */
  beside: string | undefined
  /** file of what TFLite Micro printed */
  log: string | undefined
  /** solver whose namesake's lowering is taken; undefined: none */
  planner: string | undefined
  /** the answers are the planner's already */
  asPlanner?: boolean
}

/** One that takes a value has a word for it. */
interface Flag {
  value: string
  help: string
  /** Throws Usage. */
  take: (flags: Flags, value: string, option: string) => void
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

function oneOf<T extends string>(choices: readonly T[], text: string, option: string): T {
  const found = choices.find((one) => one === text)
  if (found === undefined) throw new Usage(`--${option}: “${text}” is none of ${choices.join(', ')}`)
  return found
}

function profileOf(id: string): Profile {
  const found = known.find((profile) => profile.id === id)
  if (found) return found
  const near = known.filter((profile) => profile.id.includes(id)).map((profile) => profile.id)
  const hint = near.length > 0 ? `; do you mean ${near.join(', ')}?` : '; --profiles lists them'
  throw new Usage(`--profile: there is no “${id}”${hint}`)
}

/** Solvers by the names of the planners. */
const planners = new Map(Object.entries(PLANNERS).map(([solver, { name = solver }]) => [name, solver]))

const answers: Readonly<Record<string, Flag>> = {
  dim: {
    value: 'NAME=N,...',
    help: 'sides, as batch=1,seq=128',
    take: (flags, value, option) => Object.assign(flags.answers.dims, numbers(value, option)),
  },
  bytes: {
    value: 'ID=N,...',
    help: 'sizes of tensors',
    take: (flags, value, option) => Object.assign(flags.answers.bytes, numbers(value, option)),
  },
  value: {
    value: 'ID=N,...',
    help: 'the numbers in a small input, as sr=16000: decides which branch of an If runs',
    take: (flags, value, option) => Object.assign(flags.answers.values, values(value, option)),
  },
  part: {
    value: 'NAME',
    help: 'of a file with several lists of buffers (tables, methods, devices): the one that is read',
    take: ({ answers }, value) => {
      answers.part = value
    },
  },
  with: {
    value: 'FILE',
    help: 'the other one of two files that belong together, as XLA’s live ranges beside its buffer assignment',
    take: (flags, value) => {
      flags.beside = value
    },
  },
  signature: {
    value: 'NAME',
    help: 'of a .tflite with several: the one that runs',
    take: ({ answers }, value) => {
      answers.runs = { signature: value }
    },
  },
  subgraph: {
    value: 'N|all',
    help: 'of a .tflite with several: the one that runs, 0 unless given; all: what TFLite Micro allocates',
    take: ({ answers }, value, option) => {
      answers.runs = value === 'all' ? 'all' : { subgraph: count(value, option) }
    },
  },
  scratch: {
    value: 'OP:BYTES,...',
    help: 'what operators request beside their tensors, by their names or kinds; goes before --log and --kernels',
    take: ({ answers }, value, option) => {
      answers.scratch = [...(answers.scratch ?? []), ...scratchRows(value, option)]
    },
  },
  log: {
    value: 'FILE',
    help: 'what TFLite Micro printed of the arena on a device (PrintMemoryPlan, RecordingMicroAllocator): its scratch and its tail',
    take: (flags, value) => {
      flags.log = value
    },
  },
  kernels: {
    value: 'KIND',
    help: `whose scratch a .tflite needs: ${KERNELS.map((kind) => `${kind} (${KERNEL_NAMES[kind]})`).join(', ')}`,
    take: (flags, value, option) => {
      flags.answers.kernels = oneOf(KERNELS, value, option)
    },
  },
}

/** OP:BYTES,...; a name may itself contain colons and commas. */
function scratchRows(text: string, option: string): ScratchRow[] {
  return text.split(/(?<=:\d+),/).map((item) => {
    const [, op, bytes] = /^(.+):(\d+)$/.exec(item) ?? []
    if (op === undefined) throw new Usage(`--${option}: “${item}” is not OP:BYTES`)
    return { op, bytes: count(bytes ?? '', option) }
  })
}

const counted = (name: 'capacity' | 'steps' | 'seed', value: string, help: string): Flag => ({
  value,
  help,
  take: (flags, text) => {
    flags[name] = count(text, name)
  },
})

const plan: Readonly<Record<string, Flag>> = {
  capacity: counted(
    'capacity',
    'BYTES',
    'memory that it must fit into; without it, or a profile that tells it, the least is looked for',
  ),
  profile: {
    value: 'ID',
    help: 'an accelerator’s memory: its capacity, alignment and banks; --profiles lists them',
    take: (flags, value) => {
      flags.profile = profileOf(value)
    },
  },
  planner: {
    value: 'NAME',
    help: `as a planner of the field: its solver, unless --solver is given, and its lowering. ${[...planners]
      .map(([name, solver]) => `${name}: ${PLANNERS[solver]?.does}`)
      .join('; ')}`,
    take: (flags, value, option) => {
      flags.planner = planners.get(oneOf([...planners.keys()], value, option))
    },
  },
  solver: {
    value: 'ID',
    help: 'exact, tflm, litert, ... (arenascope solvers lists them)',
    take: (flags, value) => {
      flags.solver = value
    },
  },
  steps: counted('steps', 'N', 'budget in search steps, 10000000 unless given; 0: none'),
  seed: counted('seed', 'N', 'for solvers that choose at random'),
}

const FORM_HELP: Readonly<Record<Form, string>> = {
  graph: 'the model as graph CSV, or what else it was as buffer CSV',
  'graph-json': 'the model as graph JSON',
  csv: 'the buffers with their offsets',
  json: 'the plan with all that is needed to make it again',
  header: 'the plan as a C header',
  tflite: 'a copy of the .tflite with the plan for TFLite Micro',
  'buffer-plan': 'the plan as a C struct for TFLite Micro',
}
const forms: Readonly<Record<string, Flag>> = Object.fromEntries(
  FORMS.map((form) => [
    form,
    { value: 'FILE', help: FORM_HELP[form], take: (flags, value) => flags.files.set(form, value) } satisfies Flag,
  ]),
)

const OFF = 'no-'
const NAMES = Object.keys(SWITCHES) as Switch[]
const switchOf = (option: string): Switch | undefined => NAMES.find((name) => `${OFF}${name}` === option)

const valued: Readonly<Record<string, Flag>> = { ...answers, ...plan, ...forms }

/** Columns before the help of a flag, and of a line. */
const INDENT = 22
const WIDTH = 118

function line(left: string, help: string): string {
  const lines: string[] = []
  let now = `  ${left}`.padEnd(INDENT - 1)
  for (const word of help.split(' ')) {
    if (now.length + 1 + word.length > WIDTH) {
      lines.push(now)
      now = ' '.repeat(INDENT - 1)
    }
    now = `${now} ${word}`
  }
  return [...lines, now].map((text) => `${text}\n`).join('')
}

const linesOf = (flags: Readonly<Record<string, Flag>>) =>
  Object.entries(flags)
    .map(([name, { value, help }]) => line(`--${name}=${value}`, help))
    .join('')

export const usage = (program: string): string => `usage: ${program} [solve|convert] [OPTION...] FILE

${line('solve', 'plan it; this is meant where neither stands there')}${line('convert', 'only write it in another form, which is --graph=- unless one is named')}${line('FILE', 'a buffer or graph CSV, a .tflite, .onnx, .pte or JSON graph, a plan of TFLite Micro, Vela, XLA or IREE, a PyTorch snapshot or a memory trace; - is standard input')}
What the file leaves open
${linesOf(answers)}${NAMES.map((name) => line(`--${OFF}${name}`, `without “${SWITCHES[name][0]}”. ${SWITCHES[name][1]}`)).join('')}
The plan
${linesOf(plan)}${line('--OPTION=VALUE', 'of the lowering (arenascope help lower) or of the solver (arenascope solvers ID)')}
What to write; FILE - is standard output
${linesOf(forms)}
Tables
${line('--profiles', 'the accelerators’ memories, for --profile')}${line('--help', 'this')}
One line about the plan goes to standard output, unless that is a FILE; notes and questions go to standard error.
Exit status: 0 it fits, or no plan was asked for; 1 it cannot fit; 2 wrong usage, or the file cannot be read or leaves something open;
3 undecided.
`

/** The table of profiles: id, bytes for buffers, title. */
export function profileTable(): string {
  const wide = Math.max(...known.map(({ id }) => id.length))
  return known
    .map((profile) => {
      const bytes = usable(profile) > 0 ? usable(profile).toLocaleString('en') : 'not public'
      return `${profile.id.padEnd(wide)}  ${bytes.padStart(13)}  ${profile.title}\n`
    })
    .join('')
}

/** What profile and planner say, where nothing else does. */
function complete(flags: Flags): Flags {
  const { planner, profile } = flags
  const bytes = profile ? usable(profile) : 0
  return {
    ...flags,
    capacity: flags.capacity ?? (bytes > 0 ? bytes : undefined),
    solver: flags.solver ?? planner,
    lowering: planner === undefined ? {} : PLANNERS[planner]?.lowering,
  }
}

function take(flags: Flags, option: string, value: string): void {
  const flag = Object.hasOwn(valued, option) ? valued[option] : undefined
  if (flag) flag.take(flags, value, option)
  else flags.options[option] = value
}

/** Throws Usage. */
export function parse(args: readonly string[]): Flags {
  const told = { ...NO_ANSWERS, dims: {}, bytes: {}, values: {} }
  const flags: Flags = {
    path: '',
    answers: told,
    files: new Map(),
    beside: undefined,
    log: undefined,
    capacity: undefined,
    profile: null,
    solver: undefined,
    planner: undefined,
    steps: 10_000_000,
    seed: 0,
    options: {},
  }
  const rest = [...args]
  let taken = ''
  const verb = rest[0] === 'solve' || rest[0] === 'convert' ? rest.shift() : undefined
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, option, own] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (option === undefined) {
      if (flags.path !== '') throw new Usage(`one file at a time: ${flags.path} and ${arg}`)
      flags.path = arg
      continue
    }
    const named = switchOf(option)
    if (named && own === undefined) {
      told[named] = false
      continue
    }
    const value = own ?? rest.shift()
    if (value === undefined) throw new Usage(`--${option} needs a value`)
    if (own === undefined) taken = `: --${option} took ${value} for its value`
    take(flags, option, value)
  }
  if (flags.path === '') throw new Usage(`no file is named${taken}`)
  if (verb === 'convert' && flags.files.size === 0) flags.files.set('graph', '-')
  const onOutput = [...flags.files.values()].filter((file) => file === '-')
  if (onOutput.length > 1) throw new Usage('only one form fits on standard output')
  return complete(flags)
}
