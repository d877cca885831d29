/** A height of plans, and what is known of it. */
import { bytes } from '../../base/format'

export interface KnownHeight {
  bytes: number
  /** proven: no plan is lower. most: a plan ends here, a lower one may exist. least: no plan is known, the load is this. */
  known: 'proven' | 'most' | 'least'
}

/** What goes before the amount, and what a tooltip says. */
export const KNOWN_WORDS: Readonly<Record<KnownHeight['known'], [string, string]>> = {
  proven: ['', 'proven: no plan of this order needs less'],
  most: ['at most ', 'a plan needs so much; a lower one may exist'],
  least: ['at least ', 'the load; no plan is known'],
}

export const heightWords = ({ bytes: value, known }: KnownHeight) => `${KNOWN_WORDS[known][0]}${bytes(value)}`
