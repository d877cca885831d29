/** What an address asks of the page, behind the link: `#s1.…&embed=1&theme=dark&step=12`. What is not known is passed over. */
import type { Theme } from '../../layout/scene'

export interface UrlFlags {
  /** little chrome: the page stands inside of another */
  embed: boolean
  /** null: as the reader has it */
  theme: Theme | null
  /** null: the link's own */
  step: number | null
}

export function urlFlagsOf(fragment: string): UrlFlags {
  const given = new URLSearchParams(fragment.split('&').slice(1).join('&'))
  const theme = given.get('theme')
  const step = given.get('step') ?? ''
  return {
    embed: given.get('embed') === '1',
    theme: theme === 'dark' || theme === 'light' ? theme : null,
    step: /^\d{1,15}$/.test(step) ? Number(step) : null,
  }
}

/** The link of a fragment without its flags, and with others. */
export function withUrlFlags(fragment: string, { embed, theme, step }: UrlFlags): string {
  const [link = ''] = fragment.split('&', 1)
  const flags = [embed ? 'embed=1' : '', theme ? `theme=${theme}` : '', step === null ? '' : `step=${step}`]
  return [link, ...flags.filter((flag) => flag !== '')].join('&')
}
