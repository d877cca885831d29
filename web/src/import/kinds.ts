import type { Kind } from './graph'

/** The words that graph CSV and graph JSON have for kinds, in their order. A tensor of none of them is an activation. */
const words = ['input', 'output', 'constant', 'variable', 'workspace'] as const
const NONE = 'activation'

/** 'activation', or the words with + between them. */
export function kindText(kind: Kind): string {
  return words.filter((word) => kind[word]).join('+') || NONE
}

/** Bit k: words[k], as asc.h has them (ASC_TENSOR_*). */
export function kindBits(kind: Kind): number {
  return words.reduce((bits, word, k) => bits | (kind[word] ? 1 << k : 0), 0)
}

export function kindOfBits(bits: number): Kind {
  return Object.fromEntries(words.filter((_, k) => bits & (1 << k)).map((word) => [word, true]))
}

/** null: no such text. */
export function kindOf(text: string): Kind | null {
  if (text === NONE) return {}
  const kind: Kind = {}
  for (const part of text.split('+')) {
    const word = words.find((known) => known === part)
    if (!word) return null
    kind[word] = true
  }
  return kind
}
