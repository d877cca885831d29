/** The link: what goes in comes out; whatever else arrives gives a sentence, never an exception. */
import { describe, expect, it, vi } from 'vitest'
import { looksLikeFile, looksLikeLink } from '../../../web/src/state/share/recognize'
import { MARK_LIMIT, NOTE_LIMIT, STOP_LIMIT } from '../../../web/src/state/marks/marks'
import { parseShared, type Shared, type SharedView } from '../../../web/src/state/share/schema'
import { decodeFile, decodeLink, encodeFile, encodeLink, LINK_LIMIT } from '../../../web/src/state/share/codec'
import type { Profile } from '../../../web/src/state/profile/profile'
import format from '../../../web/docs/link-format.json'
import { shortened } from '../../../web/src/state/share/short_keys'
import unreleased from './fixtures/unreleased.json'

const UNMARKED = { marks: [], stops: [], range: null, message: '', compare: null }

const shared: Shared = {
  source: { kind: 'text', name: 'two.csv', text: 'id,lower,upper,size\na,0,3,4\nb,1,9,8\n' },
  profile: null,
  solver: 'minimalloc',
  goal: 'fit',
  options: { check_dominance: 'false', preordering_heuristics: 'TWA' },
  capacity: 9007199254740991,
  seed: 7,
  budget: 0,
  step: 3,
  digest: '0123456789abcdef',
  steps: 12,
  ended: true,
  finalDigest: 'fedcba9876543210',
  checkpoints: [
    { step: 1, digest: '00000001' },
    { step: 2, digest: 'ffffffff' },
  ],
  view: null,
  ...UNMARKED,
}
const view: SharedView = {
  viewport: { t0: -0.5, t1: 2 ** 53 - 1, b0: 0.125, b1: 1e300 },
  tab: 'stats',
  colour: 'size',
  pinned: [0, 131072],
}
const banked: Profile = {
  id: 'own-1',
  title: 'Mine, ж',
  vendor: '',
  capacity: 65536,
  reserved: 1000,
  alignment: 48,
  alignBy: 'both',
  bank: 8192,
  mayCross: false,
}
const example: Shared = { ...shared, source: { kind: 'example', file: 'five.csv' }, options: {}, checkpoints: [] }

async function problemOf(fragment: string): Promise<string> {
  const result = await decodeLink(fragment)
  return result.ok ? 'opened' : result.message
}

describe('link', () => {
  it('gives back what went in, byte for byte', async () => {
    const looked = [view, { ...view, viewport: null, colour: '', pinned: [] }].map((view) => ({ ...shared, view }))
    for (const value of [shared, example, { ...shared, profile: banked }, ...looked]) {
      const fragment = await encodeLink(value)
      expect(fragment).toMatch(/^s1\.[\w-]+$/)
      expect(await decodeLink(fragment)).toEqual({ ok: true, shared: value })
    }
  })

  it('keeps ids of any script, line ends and a byte order mark', async () => {
    const text = '\uFEFFid,lower,upper,size\r\n"größe, ж",0,1,2\r\n漢字,0,1,2\r\n'
    const value: Shared = { ...shared, source: { kind: 'text', name: 'ж.csv', text } }
    expect(await decodeLink(await encodeLink(value))).toEqual({ ok: true, shared: value })
  })

  it('is as its document tells it: short names, and what goes without saying', () => {
    const said = { source: { kind: 'example', file: 'five.csv' }, solver: 'exact', capacity: 12 }
    expect(parseShared(said)).toEqual({ ...format.defaults, ...said })
    // a name that has no place travels as it is
    const short = (name: string) => Object.keys(shortened({ [name]: 0 }) as object)[0]
    expect([...format.names, 'new'].map(short)).toEqual([...format.names.map((_, k) => k.toString(36)), 'new'])
  })

  it.each(format.vectors)('still reads a link of version 1 as it was made: $name', async ({ fragment, shared }) => {
    const value = parseShared(shared)
    expect(await decodeLink(fragment)).toEqual({ ok: true, shared: value })
    expect(decodeFile(encodeFile(value))).toEqual({ ok: true, shared: value })
  })

  it.each(unreleased)('says of one from before the first release that it cannot be read: %s', async (fragment) => {
    expect(looksLikeLink(fragment)).toBe(true)
    expect(await problemOf(fragment)).toMatch(/older version of Arenascope, which was never released/)
  })

  it('carries what is marked along the search, and another goal than to fit', async () => {
    const changes: Partial<Shared>[] = [
      { marks: [{ step: 3, note: 'x'.repeat(NOTE_LIMIT) }] },
      { stops: [{ what: 'rule', rule: 'dominance', on: false }] },
      { range: { from: 0, to: 12 } },
      { goal: 'height' },
      { message: 'Look at b7.' },
      {
        marks: [
          { step: 1, note: '', ask: { kind: 'number', question: 'How many?', answer: 3, hint: '' } },
          { step: 2, note: 'so', ask: { kind: 'buffer', question: 'Which?', answer: 'b', hint: 'It is long.' } },
          {
            step: 3,
            note: '',
            ask: { kind: 'choice', question: 'What?', options: ['a', 'b'], answer: 1, hint: 'No.' },
          },
        ],
      },
      {
        compare: {
          tab: 'runs',
          lanes: [
            { solver: 'exact', goal: 'height', options: { a: 'b' }, capacity: 9, seed: 2, budget: 0, digest: '' },
          ],
          at: 3,
          by: 'share',
          choice: null,
          digest: '',
        },
      },
      {
        compare: {
          tab: 'sweep',
          lanes: [],
          at: null,
          by: 'steps',
          choice: { solvers: ['exact'], points: 5, percent: 120, budget: 10, shows: 'steps', seed: 1, options: {} },
          digest: '0123456789abcdef',
        },
      },
    ]
    for (const change of changes) {
      const value = { ...shared, ...change }
      expect(await decodeLink(await encodeLink(value))).toEqual({ ok: true, shared: value })
    }
  })

  it('leaves what stands behind an ampersand to the page', async () => {
    expect(await decodeLink(`${await encodeLink(shared)}&embed=1&theme=dark`)).toEqual({ ok: true, shared })
  })

  it('may be written elsewhere, with the names of fields as they are', async () => {
    // Result.link() of the Python package (core/python), of examples/five.csv
    const link =
      's1.eNp9js0SwiAMhN8lZ8bpnz_l7GN4oZB2GCswhdaq47u7pXcvyccmZPdD0c-TZpIfultnSFLiNZEgpx5QqbcLH3RcoOSBJGvE6J88iTkE1Gj' +
      'ffHNdKQpRiwZUobeZamg7NehVmfEIcUf6CriPC0-4yqvSm-3g1Zhtt4cPyXoXEQ6rWgWlbXqRLCt8ZEbYUlA3m4GRq4CWOJA87RAzGTtw3FKzZ' +
      'tNezr0uzKXouyOu99ap8fpngZ3ZTNI08_cHhqlbtQ'
    const read = await decodeLink(link)
    if (!read.ok) throw new Error(read.message)
    expect(read.shared).toMatchObject({
      source: { kind: 'text', name: 'five.csv' },
      solver: 'exact',
      capacity: 12,
      seed: 1,
      steps: 6,
      ended: true,
    })
    expect(read.shared.digest).toBe(read.shared.finalDigest)
  })

  it('is refused, with the field named, if it holds what it should not', async () => {
    const packed = async (text: string) => {
      const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))
      return `s1.${Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')}`
    }
    expect(await problemOf(await packed('{"source":'))).toMatch(/cut short or changed/)
    expect(await problemOf(await packed('[]'))).toMatch(/cannot be read: source/)
    expect(await problemOf(await packed(JSON.stringify({ ...shared, seed: -1 })))).toMatch(/cannot be read: seed: /)
    expect(await problemOf(await packed(JSON.stringify({ ...shared, solver: undefined })))).toMatch(/solver/)
    const ask = { kind: 'choice', question: 'What?', options: ['a', 'b'], answer: 2 }
    const asking = { ...shared, marks: [{ step: 1, note: '', ask }] }
    expect(await problemOf(await packed(JSON.stringify(asking)))).toMatch(/the right answer is none of the options/)
    const many = { tab: 'runs', lanes: Array(5).fill({ solver: 'exact', capacity: 1 }) }
    expect(await problemOf(await packed(JSON.stringify({ ...shared, compare: many })))).toMatch(/compare\.lanes/)
  })

  it('can be cut anywhere without being taken for a link', async () => {
    const fragment = await encodeLink(shared)
    for (let length = 0; length < fragment.length; length++) {
      expect(await problemOf(fragment.slice(0, length))).toMatch(/^This (link cannot be read|is not a link)/)
    }
  })

  it('notices any character that is changed', async () => {
    const fragment = await encodeLink(shared)
    const other = (c: string) => (c === 'A' ? 'B' : 'A')
    for (let k = 3; k < fragment.length; k++) {
      const damaged = fragment.slice(0, k) + other(fragment.charAt(k)) + fragment.slice(k + 1)
      const result = await decodeLink(damaged)
      // The unused low bits of the last character are the only ones that carry nothing.
      if (result.ok) expect(k).toBeGreaterThan(fragment.length - 2)
    }
  })

  it.each([
    ['s2.abc', /later version/],
    ['s999.abc', /later version/],
    ['s0.abc', /unknown version/],
    ['s1.', /cut short/],
    ['s1.%%%', /characters that no link has/],
    ['s1.____', /cannot be read/],
    ['v5.abc', /older version/],
    ['hello', /not a link/],
    ['', /not a link/],
  ])('says what is wrong with %s', async (fragment, message) => {
    expect(await problemOf(fragment)).toMatch(message)
  })

  it('holds a problem of a million characters of any script', async () => {
    const text = `id,lower,upper,size\n${Array.from({ length: 66_000 }, (_, k) => `名${k % 10}名名名,0,1,${k % 10}\n`).join('')}`
    expect(text.length).toBeGreaterThan(600_000)
    const fragment = await encodeLink({ ...shared, source: { kind: 'text', name: 'long', text } })
    expect(await decodeLink(fragment)).toMatchObject({ ok: true, shared: { source: { text } } })
  })

  it.each([5, 64])('does not unpack a bomb of %i MiB', async (size) => {
    const zeros = new Blob([new Uint8Array(size * 2 ** 20)]).stream().pipeThrough(new CompressionStream('deflate'))
    const packed = Buffer.from(await new Response(zeros).arrayBuffer()).toString('base64url')
    expect(await problemOf(`s1.${packed}`)).toBe('This link holds more than a link may.')
  })

  it('unpacks no more than a megabyte before it looks at how much there is', async () => {
    const pieces: number[] = []
    const { DecompressionStream } = globalThis
    class Watched extends TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
      constructor(format: CompressionFormat) {
        super({
          transform(piece, out) {
            pieces.push(piece.length)
            out.enqueue(piece)
          },
        })
        const unpacked = this.readable.pipeThrough(new DecompressionStream(format))
        Object.defineProperty(this, 'readable', { value: unpacked })
      }
    }
    vi.stubGlobal('DecompressionStream', Watched)
    const rows = Array.from({ length: 4000 }, (_, k) => `b${k * 7919},${k % 97},${(k % 97) + 1 + (k % 13)},${k * 31}\n`)
    const text = `id,lower,upper,size\n${rows.join('')}`
    const fragment = await encodeLink({ ...shared, source: { kind: 'text', name: 'long', text } })
    expect(await decodeLink(fragment)).toMatchObject({ ok: true, shared: { source: { text } } })
    vi.unstubAllGlobals()
    expect(pieces.length).toBeGreaterThan(3)
    expect(Math.max(...pieces)).toBeLessThanOrEqual(1024)
  })

  it('survives random bytes', async () => {
    let state = 12345
    const next = () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      return state >>> 24
    }
    for (let k = 0; k < 200; k++) {
      const bytes = Uint8Array.from({ length: next() }, next)
      expect(await problemOf(`s1.${Buffer.from(bytes).toString('base64url')}`)).not.toBe('opened')
    }
  })

  it('stays short for a problem of 400 buffers', async () => {
    const rows = Array.from(
      { length: 400 },
      (_, k) => `b${k},${(k * 7919) % 1000},${((k * 7919) % 1000) + 1 + (k % 90)},${(k * 104729) % 65536}`,
    )
    const text = `id,lower,upper,size\n${rows.join('\n')}\n`
    const fragment = await encodeLink({ ...shared, source: { kind: 'text', name: 'x', text } })
    expect(fragment.length).toBeLessThan(LINK_LIMIT / 2)
  })

  it('is told apart from other fragments', () => {
    expect(looksLikeLink('s1.abc')).toBe(true)
    expect(looksLikeLink('v77.')).toBe(true)
    expect(looksLikeLink('search-head')).toBe(false)
  })
})

describe('file', () => {
  it('gives back what went in', () => {
    for (const value of [shared, { ...shared, profile: banked, view }]) {
      const text = encodeFile(value)
      expect(looksLikeFile(text)).toBe(true)
      expect(decodeFile(text)).toEqual({ ok: true, shared: value })
    }
  })

  it('may lack what goes without saying', () => {
    const { profile: _, view: __, marks: ___, stops: ____, range: _____, ...rest } = shared
    expect(decodeFile(JSON.stringify({ arenascope: 'search', version: 1, ...rest }))).toEqual({ ok: true, shared })
  })

  it.each([
    ['{"arenascope": 5}', /older version of Arenascope, which was never released/],
    ['{"arenascope": "search", "version": 2}', /later version/],
    ['{"arenascope": "search", "version": 0}', /unknown version/],
    ['{"arenascope": "search", "version": 1}', /cannot be read: source/],
    ['{"arenascope": "__proto__"}', /none of Arenascope/],
    ['{"arenascope": "search"', /cut short or no JSON/],
    ['null', /none of Arenascope/],
  ])('says what is wrong with %s', (text, message) => {
    const result = decodeFile(text)
    expect(result.ok ? '' : result.message).toMatch(message)
  })

  it('is not mistaken for a CSV', () => {
    expect(looksLikeFile('id,lower,upper,size\n')).toBe(false)
  })
})

describe('schema', () => {
  it.each([
    ['a negative capacity', { capacity: -1 }],
    ['a broken capacity', { capacity: 1.5 }],
    ['a capacity past 2^53', { capacity: 2 ** 53 }],
    ['a text for a number', { seed: '7' }],
    ['a step behind the end', { step: 13 }],
    ['a digest of 15 digits', { digest: '123456789abcdef' }],
    ['a digest of capitals', { digest: '0123456789ABCDEF' }],
    ['no solver', { solver: undefined }],
    ['options that are no table', { options: ['x'] }],
    ['an option that is no text', { options: { a: 1 } }],
    ['an example with a path', { source: { kind: 'example', file: '../secret.csv' } }],
    ['a source of another kind', { source: { kind: 'url', url: 'https://example.org' } }],
    ['a profile without a name', { profile: { ...banked, title: ' ' } }],
    ['a profile without an alignment', { profile: { ...banked, alignment: 0 } }],
    ['a profile that aligns nothing known', { profile: { ...banked, alignBy: 'both of them' } }],
    ['a profile all of which is reserved', { profile: { ...banked, reserved: 65536 } }],
    ['a profile with a broken bank', { profile: { ...banked, bank: 0.5 } }],
    ['a view of nothing', { view: { ...view, viewport: { t0: 1, t1: 1, b0: 0, b1: 1 } } }],
    ['a view without an end', { view: { ...view, viewport: { t0: 0, t1: Number.NaN, b0: 0, b1: 1 } } }],
    ['a view of an endless tab', { view: { ...view, tab: 'x'.repeat(65) } }],
    ['a pinned buffer that is no number', { view: { ...view, pinned: ['a'] } }],
    ['too many pinned buffers', { view: { ...view, pinned: Array.from({ length: 65 }, () => 1) } }],
    ['a mark without a step', { marks: [{ note: '' }] }],
    ['a note that is no text', { marks: [{ step: 1, note: 7 }] }],
    ['a note that is too long', { marks: [{ step: 1, note: 'x'.repeat(NOTE_LIMIT + 1) }] }],
    [
      'marks out of order',
      {
        marks: [
          { step: 2, note: '' },
          { step: 1, note: '' },
        ],
      },
    ],
    [
      'a step marked twice',
      {
        marks: [
          { step: 2, note: '' },
          { step: 2, note: '' },
        ],
      },
    ],
    ['more marks than are kept', { marks: Array.from({ length: MARK_LIMIT + 1 }, (_, step) => ({ step, note: '' })) }],
    ['a stop of another kind', { stops: [{ what: 'moon', on: true }] }],
    ['a stop at an unknown kind of step', { stops: [{ what: 'step', event: 'place', on: true }] }],
    ['a stop at a broken depth', { stops: [{ what: 'deeper', than: 1.5, on: true }] }],
    ['more stops than are kept', { stops: Array(STOP_LIMIT + 1).fill({ what: 'deeper', than: 1, on: true }) }],
    ['a range that is none', { range: { from: 3, to: 3 } }],
    ['checkpoints out of order', { checkpoints: [...shared.checkpoints].reverse() }],
  ])('refuses %s', (_, change) => {
    expect(() => parseShared({ ...shared, ...change })).toThrow()
  })

  it('drops what it does not know', () => {
    expect(parseShared({ ...shared, extra: 1 })).toEqual(shared)
  })
})
