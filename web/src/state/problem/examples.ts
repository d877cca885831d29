/** The examples that come with the page, in the order of their index. */
import first from '../../../../examples/rule-section.csv?raw'
import { Later } from '../../base/later'
import { parseCount } from '../page/quantity'

export interface Example {
  file: string
  title: string
  subtitle: string
  /** one sentence */
  text: string
  /** bytes */
  capacity: number
  solver: string
  /** options changed from the defaults */
  options: Record<string, string>
  /** the step to look at first, null: the first rejection */
  step: number | null
}

/** What a newcomer sees first: a rejection whose arithmetic can be read off the canvas. Its buffers alone come with the page. */
export const FIRST = 'rule-section.csv'
const others = new Later(() => import('./example_texts'))
const indexes = import.meta.glob<unknown>('../../../../examples/index.json', { import: 'default', eager: true })

function field(entry: object, name: string): string {
  const value: unknown = Reflect.get(entry, name)
  return typeof value === 'string' ? value : ''
}

function optionsOf(entry: object): Record<string, string> {
  const value: unknown = Reflect.get(entry, 'options')
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, String(v)]))
}

/** Entries that name no file are left out. */
export function readExamples(index: unknown): Example[] {
  if (!Array.isArray(index)) return []
  return index.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const file = field(entry, 'file')
    if (file === '') return []
    const step = parseCount(String(Reflect.get(entry, 'step')), 0, Number.MAX_SAFE_INTEGER)
    const capacity = parseCount(String(Reflect.get(entry, 'capacity')), 0, Number.MAX_SAFE_INTEGER)
    return [
      {
        file,
        title: field(entry, 'title') || file,
        subtitle: field(entry, 'subtitle'),
        text: field(entry, 'text'),
        capacity: capacity.ok ? capacity.value : 0,
        solver: field(entry, 'solver') || 'minimalloc',
        options: optionsOf(entry),
        step: step.ok ? step.value : null,
      },
    ]
  })
}

export const examples = readExamples(Object.values(indexes)[0])

export function findExample(file: string): Example | undefined {
  return examples.find((example) => example.file === file)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The buffers of an example, as CSV: at once or later. Rejects if they cannot be fetched. */
export function csvOf(file: string): string | Promise<string> {
  return file === FIRST ? first : fetchCsv(file)
}

async function fetchCsv(file: string): Promise<string> {
  const { texts } = await others.get()
  const found = Object.entries(texts).find(([path]) => nameOf(path) === file)
  if (found === undefined) throw new Error(`The example “${file}” has no buffers.`)
  return found[1]
}

/** The example whose buffers a text is; undefined if it is of none, or if the others could not be fetched to see. */
export async function exampleOf(csv: string): Promise<Example | undefined> {
  if (csv === first) return findExample(FIRST)
  const all = await others.get().catch(() => null)
  const found = Object.entries(all?.texts ?? {}).find(([, text]) => text === csv)
  return found && findExample(nameOf(found[0]))
}
