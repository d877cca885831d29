import { entryOf, generate, type Options, zoo } from '../../examples/zoo'
import { writeGraphCsv } from '../src/import/graph_csv'

const USAGE = `usage: npm run --silent zoo -- NETWORK [OPTION...] > model.graph.csv
       npm run --silent zoo                 lists the networks

  --size=N     pixels of the input's edge, or tokens
  --batch=N    (1)
  --bytes=N    of an element: 1 (int8), 2 (float16) or 4 (float32); (1)
  --no-fuse    keep normalisation and activations apart
  --no-weights leave out weights and biases
  --training   a training step: gradients and updates, nothing folded
  --first=OP, --last=OP   only the operators from one to another, by number or name
`

export interface Answer {
  code: number
  out: string
  err: string
}

const usage = (text: string): Answer => ({ code: 2, out: '', err: `zoo: ${text}\n\n${USAGE}` })

/** The options, or what is wrong with one. */
function parse(args: readonly string[]): Options | string {
  const options: Options = {}
  for (const arg of args) {
    const [, name = '', value] = /^--([a-z-]+)(?:=(.+))?$/.exec(arg) ?? []
    if ((name === 'size' || name === 'batch' || name === 'bytes') && value !== undefined) {
      if (!/^\d+$/.test(value)) return `${arg}: expected a whole number`
      options[name] = Number(value)
    } else if ((name === 'first' || name === 'last') && value !== undefined) options[name] = value
    else if (arg === '--no-fuse') options.fuse = false
    else if (arg === '--no-weights') options.weights = false
    else if (arg === '--training') options.training = true
    else return `there is no option ${arg}`
  }
  return options
}

/** What the command prints, and its exit status: 0 written, 1 the network cannot be so, 2 wrong usage. */
export async function run([id, ...rest]: readonly string[]): Promise<Answer> {
  if (id === undefined || id === '--help')
    return {
      code: 0,
      out: `${USAGE}\n${zoo.map((e) => `  ${e.id.padEnd(20)} ${e.title}. ${e.text}\n`).join('')}`,
      err: '',
    }
  const entry = entryOf(id)
  if (!entry) return usage(`there is no network ${id}`)
  const options = parse(rest)
  if (typeof options === 'string') return usage(options)
  try {
    return { code: 0, out: writeGraphCsv(await generate(entry, options)), err: '' }
  } catch (error) {
    return { code: 1, out: '', err: `zoo: ${(error as Error).message}\n` }
  }
}
