/** What a mark of the search tree is, in words: for its bubble, for the list, and for those who do not see the picture. */
import { EFFECTS } from '../../../../wasm/client/events'
import type { Attempt, Manifest } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { plural } from '../step/sentence_parts'

export interface MarkWords {
  kind: string
  level: number
  attempt: Attempt | null
  step: number
  count: number
  now: boolean
}

export interface TreeWords {
  manifest: Manifest
  /** the solver proves what it leaves */
  complete: boolean
}

function tried({ attempt, count }: MarkWords, { manifest, complete }: TreeWords): string {
  if (attempt === null) return ''
  const effect = EFFECTS[attempt.kind]
  if (effect === 'idles') return 'nobody sits on the floor'
  if (effect === 'opens') {
    const steps = `${thousands(attempt.end - attempt.step)} ${plural(attempt.end - attempt.step, 'step', 'steps')}`
    return `${complete ? 'exhausted' : 'taken back'}, ${steps}`
  }
  const rule = manifest.rules[attempt.rule]?.title ?? ''
  return count > 1 ? `${rule}, ${thousands(count)} candidates` : rule
}

/** What became of it, in a few words. */
export function fateWords(mark: MarkWords, words: TreeWords): string {
  const many = thousands(mark.count)
  switch (mark.kind) {
    case 'root':
      return 'nothing is placed'
    case 'node':
      return mark.now ? 'placed now' : 'placed'
    case 'idle':
      return 'nobody sits on the floor'
    case 'open':
      return `${many} not tried yet`
    case 'more':
      return `${many} tried before`
    case 'unknown':
      return 'what was tried before is not looked up'
    case 'fold':
      return `${many} levels, the first try each`
    case 'above':
      return `${many} ${plural(mark.count, 'level', 'levels')} above`
    case 'solved':
      return 'every buffer is placed'
    case 'subtree':
      return `subtree of ${many} ${plural(mark.count, 'step', 'steps')}`
  }
  return tried(mark, words)
}
