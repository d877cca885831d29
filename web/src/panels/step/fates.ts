/** What a fate looks like where it is written: hue and glyph always go together. */
import { type Fate, fateOf } from '../../layout/step/fate'
import type { IconName } from '../controls/icons'
import type { PillTone } from '../controls/pill'

const FATES: Record<Fate, [IconName, PillTone]> = {
  bound: ['cross', 'why'],
  dominance: ['bars', 'bound'],
  canonical: ['order', 'order'],
  hatless: ['cap', 'hatless'],
  learned: ['diamond', 'learned'],
  other: ['cross', 'why'],
}

/** Of a rule, by its id. */
export const fateLook = (rule: string): [IconName, PillTone] => FATES[fateOf(rule)]
