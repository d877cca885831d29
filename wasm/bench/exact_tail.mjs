/** The tail of what has a plan: A-K perturbed anew, and J at its load bound. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { challenging, EXACT, limitedRows, printSeeds, SEEDS } from './exact_parts.mjs'
import { inFolder } from './instances.mjs'
import { nativeRows } from './native.mjs'
import { random } from './proofs_families.mjs'
import { group } from './table.mjs'

const UNIT = 1024
const NODES = 50_000
const BOUND_MS = 10_000

/** What share of the sizes changes, by a fifth at most; whether lifespans do; what the capacity is in load bounds. */
const VARIANTS = [
  { sizes: 25, events: false, room: 1 },
  { sizes: 25, events: true, room: 1 },
  { sizes: 50, events: true, room: 1.01 },
]

function buffersOf(path) {
  const [header, ...rows] = readFileSync(path, 'utf8').trim().split('\n')
  const titles = header.split(',')
  const column = (name) => titles.indexOf(name)
  return rows.map((row) => {
    const cells = row.split(',').map(Number)
    return { lower: cells[column('lower')], upper: cells[column('upper')], size: cells[column('size')] }
  })
}

function loadOf(buffers) {
  const at = (time) => buffers.reduce((sum, b) => sum + (b.lower <= time && time < b.upper ? b.size : 0), 0)
  return Math.max(...buffers.map((b) => at(b.lower)))
}

/** One perturbed: sizes in whole units, and some ends at the event beside them. */
function perturbed(buffers, { sizes, events }, seed) {
  const pick = random(seed)
  const times = [...new Set(buffers.flatMap((b) => [b.lower, b.upper]))].sort((a, b) => a - b)
  const beside = (time) => times[times.indexOf(time) + (pick(2) ? 1 : -1)] ?? time
  return buffers.map(({ lower, upper, size }) => {
    const made = { lower, upper, size }
    if (pick(100) < sizes) made.size = Math.max(1, Math.round(((size / UNIT) * (800 + pick(401))) / 1000)) * UNIT
    const [begin, end] = [beside(lower), beside(upper)]
    if (events && pick(100) < 15 && begin < made.upper) made.lower = begin
    if (events && pick(100) < 10 && end > made.lower) made.upper = end
    return made
  })
}

function writeAnew(folder, path, kind, seed) {
  const buffers = perturbed(buffersOf(path), VARIANTS[kind], seed)
  const capacity = Math.floor((loadOf(buffers) * VARIANTS[kind].room) / UNIT) * UNIT
  const rows = buffers.map((b, k) => `${k},${b.lower},${b.upper},${b.size}\n`)
  writeFileSync(join(folder, `${basename(path)[0]}${kind}.${capacity}.csv`), `id,lower,upper,size\n${rows.join('')}`)
}

function anew(setting) {
  return inFolder((folder) => {
    const suite = join(folder, 'anew')
    mkdirSync(suite)
    challenging(setting.suites).forEach((path, k) => {
      for (const kind of VARIANTS.keys()) writeAnew(suite, path, kind, 100 * setting.draw + 3 * k + kind)
    })
    printSeeds(limitedRows(setting, [suite], NODES), NODES)
    console.log('at most 10 of 660 wanted; whether those open on all seeds have a plan is not known')
    return true
  })
}

function bound(setting) {
  const limits = ['--goal=height', `--ms=${BOUND_MS}`, '--processor', `--seeds=${SEEDS}`]
  const rows = nativeRows(setting.native, [...challenging(setting.suites, 'J'), EXACT, ...limits])
  const met = rows.filter((row) => row.height === row.lowerBound).length
  console.log(rows.map((row) => group(row.height)).join(' '))
  console.log(`${met} of ${rows.length} seeds at the bound, ${group(rows[0].lowerBound)}, within ${BOUND_MS} ms`)
}

export const tail = {
  anew: { text: '* A-K perturbed anew, 33 instances, by --draw=N', suite: 'minimalloc', run: anew },
  bound: { text: `* J's least height over ${SEEDS} seeds, ${BOUND_MS / 1000} s each`, suite: 'minimalloc', run: bound },
}
