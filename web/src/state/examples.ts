/** The examples that come with the page, in the order of their index. */
import { parseCount } from './quantity'

export interface Example {
  file: string
  title: string
  subtitle: string
  /** one sentence */
  text: string
  csv: string
  /** bytes */
  capacity: number
  solver: string
  /** options changed from the defaults */
  options: Record<string, string>
  /** the step to look at first, null: the first rejection */
  step: number | null
}

const texts = import.meta.glob<string>('../../../examples/*.csv', { query: '?raw', import: 'default', eager: true })
const indexes = import.meta.glob<unknown>('../../../examples/index.json', { import: 'default', eager: true })

function field(entry: object, name: string): string {
  const value: unknown = Reflect.get(entry, name)
  return typeof value === 'string' ? value : ''
}

function optionsOf(entry: object): Record<string, string> {
  const value: unknown = Reflect.get(entry, 'options')
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, String(v)]))
}

/** Entries without a file of that name are left out. */
export function readExamples(index: unknown, csvs: Record<string, string>): Example[] {
  if (!Array.isArray(index)) return []
  return index.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const file = field(entry, 'file')
    const csv = csvs[file]
    if (csv === undefined) return []
    const step = parseCount(String(Reflect.get(entry, 'step')), 0, Number.MAX_SAFE_INTEGER)
    const capacity = parseCount(String(Reflect.get(entry, 'capacity')), 0, Number.MAX_SAFE_INTEGER)
    return [
      {
        file,
        title: field(entry, 'title') || file,
        subtitle: field(entry, 'subtitle'),
        text: field(entry, 'text'),
        csv,
        capacity: capacity.ok ? capacity.value : 0,
        solver: field(entry, 'solver') || 'minimalloc',
        options: optionsOf(entry),
        step: step.ok ? step.value : null,
      },
    ]
  })
}

const byName = Object.fromEntries(
  Object.entries(texts).map(([path, csv]) => [path.slice(path.lastIndexOf('/') + 1), csv]),
)
export const examples = readExamples(Object.values(indexes)[0], byName)

export function findExample(file: string): Example | undefined {
  return examples.find((example) => example.file === file)
}
