/** What becomes of a decision, by the rule that discards it. */
import type { Manifest } from '../../../../wasm/client/types'

/** Fate of a step: hue and glyph always go together. */
export type Fate = 'bound' | 'dominance' | 'canonical' | 'hatless' | 'learned' | 'other'

/** A placement that this rule takes back is what a solver with a constraint problem calls a minor backtrack. */
export const MINOR = 'unsatisfiable'

/** Index of that rule, -1 if the core has none. */
export const minorRule = (manifest: Manifest): number => manifest.rules.findIndex((rule) => rule.id === MINOR)

export function fateOf(rule: string): Fate {
  switch (rule) {
    case 'capacity':
    case 'section':
    case 'monotonic-floor':
    case 'unallocated-floor':
    case 'fixed':
    case 'domain':
    case MINOR:
    case 'not-first':
    case 'subset-sum':
    case 'pile':
    case 'slack':
    case 'overlap':
    case 'forward':
    case 'empty-space':
      return 'bound'
    case 'dominance':
    case 'blocked':
      return 'dominance'
    case 'canonical':
      return 'canonical'
    case 'hatless':
    case 'equal':
    case 'same-span':
      return 'hatless'
    case 'nogood':
    case 'backjump':
    case 'lazy':
      return 'learned'
  }
  return 'other'
}
