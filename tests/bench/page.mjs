#!/usr/bin/env node
// The built page in headless Chromium, one row per figure.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'
import { listOf, start, understood } from '../../wasm/bench/command.mjs'
import { median, printTable, quantile } from '../../wasm/bench/table.mjs'
import { limits, read, weigh } from '../check_size.mjs'

const PARTS = {
  weight: { text: 'HTML, scripts, styles and WASM of the first load under Brotli, and what comes later' },
  first: { text: 'from navigation to the first page drawn, and to its race moving, in a fresh profile' },
  run: { text: 'from Run to the first step of a solver of each family, its module fetched' },
  press: { text: 'from Run to its end shown, the first time and later, and what the page itself works for it' },
  seek: { text: 'from Enter to the step drawn, random steps of a search of 10,000,000' },
  frames: { text: 'between frames while panning, zooming and playing, 60,000 buffers' },
  million: { text: 'the same with 1,000,000 buffers' },
  tasks: { text: 'opening, running, seeking and playing 1,000,000 buffers, and the longest task of each' },
}
const USAGE = `usage: page.mjs [--part=NAME]... [--visits=N] [--seeks=N]

${listOf(PARTS)}

Without --part: all. Frames are drawn by the processor alone, as the tests' browser does; ARENASCOPE_DIST names another build.
`
const COLUMNS = [
  ['figure', 40, ({ figure }) => figure],
  ['median', -10, ({ median }) => median],
  ['slow', -10, ({ slow }) => slow],
  ['', 4, ({ far }) => far],
  ['target', 24, ({ target }) => target],
]
const DIST = process.env.ARENASCOPE_DIST ?? join(ROOT, 'dist')
// the bundle lies elsewhere than what it was made of
process.env.ARENASCOPE_DIST = DIST

const ms = (value) => `${value.toFixed(1)} ms`
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

function weights() {
  const { code, later } = weigh(read(DIST))
  const row = (figure, bytes, limit) => ({
    figure,
    median: kilobytes(bytes),
    slow: '',
    far: '',
    target: limit ? kilobytes(limit) : '',
  })
  return [row('first load, fonts apart', code, limits.code), row('later', later)]
}

function timed({ figure, times, far, target }) {
  return { figure, median: ms(median(times)), slow: ms(quantile(times, far === 'max' ? 1 : 0.95)), far, target }
}

async function main() {
  const { values } = understood(
    {
      options: {
        part: { type: 'string', multiple: true },
        visits: { type: 'string', default: '5' },
        seeks: { type: 'string', default: '40' },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  )
  const parts = values.part ?? Object.keys(PARTS)
  const [visits, seeks] = [Number(values.visits), Number(values.seeks)]
  const well = [visits, seeks].every((n) => Number.isInteger(n) && n >= 1) && parts.every((name) => name in PARTS)
  if (values.help || !well) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  // under the checkout, so that it finds the packages
  const script = join(ROOT, 'build/bench/page.mjs')
  await bundle(join(ROOT, 'tests/bench/page.ts'), script, ['playwright-core', 'vite'])
  const { measurePage } = await import(pathToFileURL(script).href)
  const figures = await measurePage(
    parts.filter((name) => name !== 'weight'),
    { visits, seeks },
  )
  printTable(COLUMNS, [...(parts.includes('weight') ? weights() : []), ...figures.map(timed)])
  return 0
}

start(main)
