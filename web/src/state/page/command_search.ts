/** Finding a command by a few of its letters. */
import { MOST_RECENT } from '../share/storage'
import { recent } from '../ui'

export interface Entry {
  /** the same at the next visit */
  id: string
  /** what kind of thing it is */
  group: string
  title: string
  /** the key that does the same, '' if there is none */
  keys: string
  act: () => void
}

export interface Found {
  entry: Entry
  /** places of the letters that matched */
  marks: number[]
}

const isStart = (text: string, at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] as string)

/** Where a word is in a text: whole at the start of a word before whole anywhere before its letters in order; null: not at all. */
function findWord(text: string, word: string): { cost: number; marks: number[] } | null {
  let whole = -1
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (whole < 0 || isStart(text, at)) whole = at
    if (isStart(text, at)) break
  }
  const run = (from: number) => Array.from(word, (_, k) => from + k)
  if (whole >= 0) return { cost: isStart(text, whole) ? 0 : 20, marks: run(whole) }
  const marks: number[] = []
  let cost = 40
  let from = 0
  for (const letter of word) {
    const at = text.indexOf(letter, from)
    if (at < 0) return null
    if (marks.length > 0 && at > from && !isStart(text, at)) cost += at - from
    marks.push(at)
    from = at + 1
  }
  return { cost, marks }
}

/** Every word of the query has to be found; null if one is not. The less, the better. */
export function match(title: string, query: string): { cost: number; marks: number[] } | null {
  const text = title.toLowerCase()
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const all = { cost: words.length > 0 ? title.length / 100 : 0, marks: [] as number[] }
  for (const word of words) {
    const found = findWord(text, word)
    if (found === null) return null
    all.cost += found.cost + (found.marks[0] ?? 0) / 50
    all.marks.push(...found.marks)
  }
  return all
}

/** What fits, best first; what was used lately before what fits as well. A group's name helps to find what is in it. */
export function rank(entries: readonly Entry[], query: string, recent: readonly string[]): Found[] {
  const found = entries.flatMap((entry, order) => {
    const own = match(entry.title, query)
    const wider = own ?? match(`${entry.title} ${entry.group}`, query)
    if (wider === null) return []
    const age = recent.indexOf(entry.id)
    const lately = age < 0 ? 0 : MOST_RECENT - age
    const cost = wider.cost + (own === null ? 15 : 0) - (query.trim() === '' ? 100 : 1) * lately
    return [{ entry, marks: wider.marks.filter((at) => at < entry.title.length), cost, order }]
  })
  return found.sort((x, y) => x.cost - y.cost || x.order - y.order)
}

/** Newest first. */
export function used(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((other) => other !== id)].slice(0, MOST_RECENT)
}

export function remember(id: string): void {
  recent.update((ids) => used(ids, id))
}
