/** The glyph of a told step as an icon; what is not here has none. */
import type { IconName } from '../controls/icons'

export const STEP_ICONS: Record<string, IconName> = {
  cross: 'cross',
  bars: 'bars',
  order: 'order',
  cap: 'cap',
  back: 'lastBacktrack',
  restart: 'restart',
  diamond: 'diamond',
  waste: 'waste',
}
