/** The little markup of a lesson's texts. */
import { thousands } from '../base/format'
import type { Fact, Live } from './lesson'

export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'em'; text: string }
  /** a buffer's id, or another word in the measuring voice */
  | { kind: 'name'; text: string }
  | { kind: 'fact'; text: string }

const MARKUP = /\*([^*]+)\*|`([^`]+)`|\{(\w+)\}/g

/** null: the facts are not known yet. A name that no fact has stays as it is, for the test to find. */
export function pieces(text: string, facts: Record<string, Fact>, live: Live | null): Piece[] {
  const list: Piece[] = []
  let from = 0
  for (const match of text.matchAll(MARKUP)) {
    if (match.index > from) list.push({ kind: 'text', text: text.slice(from, match.index) })
    const [all, em, name, fact] = match
    if (em !== undefined) list.push({ kind: 'em', text: em })
    else if (name !== undefined) list.push({ kind: 'name', text: named(name, facts, live) })
    else list.push({ kind: 'fact', text: factText(facts[fact ?? ''], live, all) })
    from = match.index + all.length
  }
  if (from < text.length) list.push({ kind: 'text', text: text.slice(from) })
  return list
}

/** A name may itself be a fact. */
function named(name: string, facts: Record<string, Fact>, live: Live | null): string {
  const fact = /^\{(\w+)\}$/.exec(name)
  return fact === null ? name : factText(facts[fact[1] ?? ''], live, name)
}

function factText(fact: Fact | undefined, live: Live | null, otherwise: string): string {
  if (fact === undefined) return otherwise
  if (live === null) return '…'
  const value = fact(live)
  return typeof value === 'string' ? value : thousands(value)
}

/** As it is read aloud. */
export function plain(text: string, facts: Record<string, Fact>, live: Live | null): string {
  return pieces(text, facts, live)
    .map((piece) => piece.text)
    .join('')
}
