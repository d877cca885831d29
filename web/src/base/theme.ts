/**
 * The colours of the page, once: the canvases read them as data, the shell turns them into CSS custom properties with
 * applyTheme(). Names say the role, never the hue.
 */
export type ThemeName = 'dark' | 'light'

/** Roles that are a single CSS colour; the keys, in kebab case, are also the names of the custom properties. */
export interface Roles {
  well: string
  surface1: string
  surface2: string
  surface3: string
  line1: string
  line2: string
  control: string
  grid: string
  text1: string
  text2: string
  text3: string
  accent: string
  onAccent: string
  now: string
  nowText: string
  nowTint: string
  nowInk: string
  why: string
  whyTint: string
  ok: string
  okTint: string
  capacity: string
  bound: string
  ghost: string
  trace: string
  traceFuture: string
  loadFill: string
  loadLine: string
  fateBound: string
  fateDominance: string
  fateCanonical: string
  fateCanonicalTint: string
  fateHatless: string
  fateLearned: string
  fateOther: string
}

export interface Tokens extends Roles {
  name: ThemeName
  /** low to high, monotone in lightness; interpolate in OKLab */
  ramp: string[]
  /** likewise: from what a search leaves alone to what it thrashes on */
  heat: string[]
  /** twelve categories, most used first */
  categories: string[]
}

const dark: Tokens = {
  name: 'dark',
  well: '#0B0D0F',
  surface1: '#121518',
  surface2: '#1A1E22',
  surface3: '#242A2F',
  line1: '#22272C',
  line2: '#363D44',
  control: '#6B747C',
  grid: '#171B1F',
  text1: '#E9EBED',
  text2: '#AEB5BB',
  text3: '#8C949C',
  accent: '#6FB7CB',
  onAccent: '#071418',
  now: '#FFB84D',
  nowText: '#FFB84D',
  nowTint: '#3A2A10',
  nowInk: '#1A1206',
  why: '#FF6B5E',
  whyTint: '#3A1A18',
  ok: '#63C7A2',
  okTint: '#12302A',
  capacity: '#E9EBED',
  bound: '#6FB7CB',
  ghost: '#8A929A',
  trace: '#7FB2C2',
  traceFuture: '#3E4C55',
  loadFill: '#2B3B44',
  loadLine: '#5E7C8A',
  fateBound: '#FF6B5E',
  fateDominance: '#6FB7CB',
  fateCanonical: '#A79BE0',
  fateCanonicalTint: '#272340',
  fateHatless: '#C9C27A',
  fateLearned: '#D79BC0',
  fateOther: '#8C949C',
  ramp: ['#2F3C5E', '#324C73', '#315E87', '#2F7298', '#3285A4', '#3F98AE', '#56AAB5', '#72BBBC', '#90CBC4'],
  heat: ['#2A3038', '#463B70', '#7A46A8', '#B266CC', '#EDBBEE'],
  categories: [
    '#6FBAE8',
    '#EADAA6',
    '#257D8B',
    '#C38B9D',
    '#99C38F',
    '#8C88D6',
    '#477057',
    '#D0E7F1',
    '#61513F',
    '#795AAA',
    '#C4C4BE',
    '#294D85',
  ],
}

const light: Tokens = {
  name: 'light',
  well: '#FEFDFB',
  surface1: '#F5F3EE',
  surface2: '#FFFFFF',
  surface3: '#E9E6DE',
  line1: '#E1DDD4',
  line2: '#C6C1B6',
  control: '#85817A',
  grid: '#F1EFEA',
  text1: '#1A1C1E',
  text2: '#4C5156',
  text3: '#62666A',
  accent: '#14637A',
  onAccent: '#FFFFFF',
  now: '#D08200',
  nowText: '#864B00',
  nowTint: '#FBE8C8',
  nowInk: '#1A1206',
  why: '#B3261A',
  whyTint: '#F9DFD9',
  ok: '#117052',
  okTint: '#D9EEE4',
  capacity: '#1A1C1E',
  bound: '#14637A',
  ghost: '#7A7E82',
  trace: '#2F6F83',
  traceFuture: '#B4C0C4',
  loadFill: '#C9D6DA',
  loadLine: '#6B8792',
  fateBound: '#B3261A',
  fateDominance: '#14637A',
  fateCanonical: '#5F4DB0',
  fateCanonicalTint: '#E9E5F6',
  fateHatless: '#77701C',
  fateLearned: '#9A3D78',
  fateOther: '#62666A',
  ramp: ['#CBE8E8', '#B4D8DC', '#9EC8D1', '#88B7C6', '#74A7BD', '#6296B3', '#5384AA', '#4673A0', '#3D6196'],
  heat: ['#F0EBE3', '#EEC9CB', '#D78CB6', '#A5509D', '#5A2472'],
  categories: [
    '#92C9FD',
    '#F9E6A2',
    '#238081',
    '#D898B3',
    '#B0BD68',
    '#8986D1',
    '#386352',
    '#D5F4FD',
    '#A29372',
    '#6B5099',
    '#CFCAB7',
    '#294273',
  ],
}

export const tokens: Record<ThemeName, Tokens> = { dark, light }

/** Custom properties of a theme: surface1 -> "--surface-1", onAccent -> "--on-accent"; "--ramp-0".., "--category-0"... */
export function cssVariables(theme: ThemeName): [string, string][] {
  const { name: _, ramp, heat: __, categories, ...roles } = tokens[theme]
  const list: [string, string][] = Object.entries(roles).map(([key, value]) => [
    `--${key.replace(/([A-Z]|\d+)/g, '-$1').toLowerCase()}`,
    value,
  ])
  ramp.forEach((value, k) => {
    list.push([`--ramp-${k}`, value])
  })
  categories.forEach((value, k) => {
    list.push([`--category-${k}`, value])
  })
  return list
}

/** Sets the custom properties, color-scheme and data-theme on an element (the page's root). */
export function applyTheme(root: HTMLElement, theme: ThemeName): void {
  for (const [name, value] of cssVariables(theme)) root.style.setProperty(name, value)
  root.style.setProperty('color-scheme', theme)
  root.dataset.theme = theme
}

/** Families for canvas text: mono measures, sans names. */
export const MONO = '"IBM Plex Mono", ui-monospace, Menlo, monospace'
export const SANS = '"IBM Plex Sans", system-ui, sans-serif'
export const SERIF = '"Source Serif 4", Georgia, serif'
