import type { Kind } from './graph'

/** The words that graph CSV and graph JSON have for kinds, in their order. A tensor of none of them is an activation. */
const words = ['input', 'output', 'constant', 'variable', 'workspace'] as const
const NONE = 'activation'

/** 'activation', or the words with + between them. */
export function kindText(kind: Kind): string {
  return words.filter((word) => kind[word]).join('+') || NONE
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
