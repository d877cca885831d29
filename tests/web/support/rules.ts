/** Ids of core/include/asc/rules.def, as the fixtures number them. */
export const RULES = [
  'none',
  'capacity',
  'section',
  'monotonic-floor',
  'unallocated-floor',
  'canonical',
  'dominance',
  'hatless',
  'fixed',
  'domain',
  'nogood',
  'not-first',
  'subset-sum',
  'same-span',
  'equal',
  'slack',
  'blocked',
  'backjump',
  'lazy',
  'unsatisfiable',
  'overlap',
  'forward',
  'empty-space',
  'pile',
]

export const ruleIndex = (id: string): number => RULES.indexOf(id)
