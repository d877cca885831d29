/** One visual language: style sheets name colours, sizes and lengths of motion from the scales, and text can be read on what it stands on. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cssVariables, type Roles, type ThemeName, tokens } from '../../../web/src/base/theme'
import { contrast } from '../../../web/src/draw/buffer_colours'
import { ROOT } from '../../wasm/support'

const FOLDER = join(ROOT, 'web/src/styles')
const sheets = readdirSync(FOLDER, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.css'))

/** Pixels of type; nothing is smaller than its least. */
const TYPE = [10.5, 11, 12, 13, 14, 15, 16, 23, 25]
/** What is presented is read from the back of a room, too. */
const PRESENTED = [...TYPE, 20, 28]
const RADII = ['0', '2px', '3px', '4px', '6px', '10px', '50%']
/** The words for colour that mean none of their own. */
const NAMED =
  /\b(white|black|red|green|blue|gray|grey|yellow|orange|purple|pink|brown|cyan|magenta|silver|gold|navy|teal|olive|maroon)\b/

interface Rule {
  selector: string
  property: string
  value: string
}

/** The declarations of a sheet; those of :root are the tokens themselves. */
function rulesOf(css: string): Rule[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '')
  const rules: Rule[] = []
  for (const [, selector = '', body = ''] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (selector.trim() === ':root' || selector.includes('@font-face')) continue
    for (const line of body.split(';')) {
      const at = line.indexOf(':')
      if (at > 0)
        rules.push({ selector: selector.trim(), property: line.slice(0, at).trim(), value: line.slice(at + 1).trim() })
    }
  }
  return rules
}

/** What is wrong with a declaration, '' if nothing is. */
function fault({ property, value }: Rule, sizes: number[]): string {
  if (/#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i.test(value)) return 'a raw colour'
  if (/color|background|border|outline|fill|stroke|shadow/.test(property) && NAMED.test(value)) return 'a raw colour'
  const size = /^font(-size)?$/.test(property) ? /([\d.]+)(px|rem|em|pt)/.exec(value) : null
  if (size !== null && (size[2] !== 'px' || !sizes.includes(Number(size[1])))) return 'a size that is not of the scale'
  if (/^(transition|animation)/.test(property) && /\b0*[1-9][\d.]*m?s\b|\b0?\.\d+s\b/.test(value))
    return 'a length of motion of its own'
  if (
    property.endsWith('radius') &&
    value.split(/[\s/]+/).some((part) => !RADII.includes(part) && !part.startsWith('var('))
  )
    return 'a radius that is not of the scale'
  return ''
}

const faultsOf = (css: string, sizes = TYPE) =>
  rulesOf(css).flatMap((rule) => {
    const why = fault(rule, sizes)
    return why === '' ? [] : [`${rule.selector} { ${rule.property}: ${rule.value} } has ${why}`]
  })

describe('the style sheets', () => {
  it.each(sheets)('%s keeps to the scales', (name) => {
    const sizes = name === 'page/present.css' ? PRESENTED : TYPE
    expect(faultsOf(readFileSync(join(FOLDER, name), 'utf8'), sizes)).toEqual([])
  })

  it.each([
    ['.a { color: #fff }', 1],
    ['.a { background: rgb(0 0 0 / 50%) } .b { border: 1px solid white }', 2],
    ['@media (min-width: 9px) { .a { font: 600 17px / 20px var(--sans) } }', 1],
    ['.a { font-size: 0.8em } .b { font-size: 9px }', 2],
    ['.a { transition: height 180ms } .b { animation: x 0.2s }', 2],
    ['.a { border-radius: 5px }', 1],
    [
      '.a { color: var(--text-1); white-space: nowrap; transition: height var(--slide); animation: x 0s } /* #fff */',
      0,
    ],
    [':root { --veil: #000 }', 0],
  ])('a check that finds what is planted: %s', (css, count) => {
    expect(faultsOf(css).length).toBe(count)
  })

  it('move nothing for whoever wants no motion: the lengths that all motion takes are none', () => {
    const base = readFileSync(join(FOLDER, 'page/base.css'), 'utf8')
    const still = /@media \(prefers-reduced-motion: reduce\) \{\s*:root \{([^}]*)\}/.exec(base)?.[1] ?? ''
    const lengths = [...base.matchAll(/(--[\w-]+):\s*\d+ms/g)].map(([, name]) => name)
    // a wait for what seldom comes is no motion
    const moving = lengths.filter((name) => name !== '--patience')
    expect(moving.length).toBe(2)
    for (const name of moving) expect(still).toContain(`${name}: 0s;`)
    // a rule for all elements would give each of them a transition
    expect(sheets.flatMap((name) => rulesOf(readFileSync(join(FOLDER, name), 'utf8')))).not.toContainEqual(
      expect.objectContaining({
        selector: expect.stringMatching(/(^|[\s,}])\*/),
        property: expect.stringMatching(/^(transition|animation)/),
      }),
    )
  })

  it('name only custom properties that there are', () => {
    const all = sheets.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n')
    const kebab = (key: string) => `--${key.replace(/([A-Z]|\d+)/g, '-$1').toLowerCase()}`
    const known = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name))
    for (const key of Object.keys(tokens.dark)) known.add(kebab(key))
    // those that components set
    for (const file of readdirSync(join(ROOT, 'web/src/panels'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    ))
      for (const [, name] of readFileSync(join(ROOT, 'web/src/panels', file), 'utf8').matchAll(/['"`](--[\w-]+)['"`]/g))
        known.add(name)
    const used = [...all.matchAll(/var\((--[\w-]+)(,)?/g)].filter(([, name, otherwise]) => {
      return otherwise === undefined && !known.has(name as string) && !/^--(ramp|category)-/.test(name as string)
    })
    expect(used.map(([, name]) => name)).toEqual([])
  })
})

const TEXT: (keyof Roles)[] = ['text1', 'text2', 'text3', 'accent', 'nowText', 'why', 'ok']
const GROUNDS: (keyof Roles)[] = ['well', 'surface1', 'surface2', 'surface3']
const PAIRS: [keyof Roles, keyof Roles][] = [
  ...TEXT.flatMap((text) => GROUNDS.map((ground): [keyof Roles, keyof Roles] => [text, ground])),
  ['onAccent', 'accent'],
  ['why', 'whyTint'],
  ['text1', 'whyTint'],
  ['text2', 'whyTint'],
  ['ok', 'okTint'],
  ['text1', 'okTint'],
  ['nowText', 'nowTint'],
  ['nowInk', 'now'],
  ['fateCanonical', 'fateCanonicalTint'],
]
/** Lines and edges by which a control is known: 3 to 1. */
const EDGES: [keyof Roles, keyof Roles][] = [
  ...GROUNDS.slice(0, 3).flatMap((ground): [keyof Roles, keyof Roles][] => [
    ['control', ground],
    ['accent', ground],
    ['why', ground],
    ['capacity', ground],
  ]),
]

describe.each(['dark', 'light'] as const)('in the %s theme', (theme) => {
  const hue = tokens[theme]
  it.each(PAIRS)('%s can be read on %s', (text, ground) => {
    expect(contrast(hue[text], hue[ground])).toBeGreaterThanOrEqual(4.5)
  })
  it.each(EDGES)('%s can be seen on %s', (edge, ground) => {
    expect(contrast(hue[edge], hue[ground])).toBeGreaterThanOrEqual(3)
  })

  it('every rule that sets both a colour and its ground from the tokens can be read', () => {
    const roles = new Map(Object.keys(hue).map((key) => [`--${key.replace(/([A-Z]|\d+)/g, '-$1').toLowerCase()}`, key]))
    const role = (value: string | undefined) => {
      const key = roles.get(/^var\((--[\w-]+)\)$/.exec(value ?? '')?.[1] ?? '')
      return key === undefined ? null : String(hue[key as keyof Roles])
    }
    const found: string[] = []
    for (const name of sheets) {
      const blocks = new Map<string, Map<string, string>>()
      for (const { selector, property, value } of rulesOf(readFileSync(join(FOLDER, name), 'utf8'))) {
        const block = blocks.get(selector) ?? new Map<string, string>()
        blocks.set(selector, block.set(property, value))
      }
      for (const [selector, block] of blocks) {
        const [text, ground] = [
          role(block.get('color')),
          role(block.get('background') ?? block.get('background-color')),
        ]
        if (text !== null && ground !== null && contrast(text, ground) < 4.5) found.push(`${name} ${selector}`)
      }
    }
    expect(found).toEqual([])
  })
})

describe('the page before its script', () => {
  const base = readFileSync(join(FOLDER, 'page/base.css'), 'utf8')
  const [dark = '', light = ''] = [...base.matchAll(/:root \{([^}]*)\}/g)].map(([, body = '']) => body)
  it.each<[ThemeName, string]>([
    ['dark', dark],
    ['light', light],
  ])('has the colours of the %s theme that its header uses', (theme, body) => {
    const said = new Map([...body.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, name = '', value = '']) => [name, value]))
    said.delete('--tile-edge')
    expect([...said.keys()].sort()).toEqual(
      ['line-1', 'now', 'now-tint', 'ramp-4', 'ramp-6', 'surface-1', 'text-1', 'well'].map((name) => `--${name}`),
    )
    const ours = new Map(cssVariables(theme))
    for (const [name, value] of said) expect([name, value]).toEqual([name, ours.get(name)?.toLowerCase()])
  })
})
