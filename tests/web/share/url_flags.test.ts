/** What stands behind a link. */
import { describe, expect, it } from 'vitest'
import { urlFlagsOf, withUrlFlags } from '../../../web/src/state/share/url_flags'

const NONE = { embed: false, theme: null, step: null }

describe('flags', () => {
  it.each([
    ['', NONE],
    ['s1.abc', NONE],
    ['s1.abc&embed=1', { ...NONE, embed: true }],
    ['&embed=1&theme=light&step=12', { embed: true, theme: 'light', step: 12 }],
    ['s1.abc&embed=0&theme=pink&step=-1', NONE],
    ['s1.abc&step=1e9', NONE],
    ['s1.abc&step=99999999999999999999', NONE],
    ['s1.embed=1', NONE],
    ['s1.abc&&&=&%&embed=1&later=2', { ...NONE, embed: true }],
  ])('of %j', (fragment, flags) => {
    expect(urlFlagsOf(fragment)).toEqual(flags)
  })

  it('are put behind a link instead of those that were there', () => {
    const made = withUrlFlags('s1.abc&step=3&embed=1', { embed: true, theme: 'dark', step: 7 })
    expect(made).toBe('s1.abc&embed=1&theme=dark&step=7')
    expect(urlFlagsOf(made)).toEqual({ embed: true, theme: 'dark', step: 7 })
    expect(withUrlFlags(made, NONE)).toBe('s1.abc')
  })
})
