#!/usr/bin/env node
// Compares the verdicts and least heights of the exact solver with those of OR-Tools' CP-SAT on random packings with every constraint:
//   node tests/referee/packing.mjs [--problems=N] [--from=N] [--if-there]
// N problems (2,500), each at its least height and one below, and the least height of each third; the first is the one after --from (0). Fetches OR-Tools from PyPI into build/referee, once; where
// it is not to be had, or with --if-there where it is not yet, it says so. Ends with 1 if anything differs. The problems follow from their numbers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'
import { cpSat } from '../../wasm/bench/peers/ortools.mjs'
import { random } from '../../wasm/bench/proofs_families.mjs'

const COMMAND = join(ROOT, 'build', 'native', 'arenascope')

/** Times at which a buffer rests, some with a part of it in use. */
function gapsOf(pick, lower, upper, size) {
  if (upper - lower < 3) return []
  const begin = lower + 1 + pick(upper - lower - 2)
  const end = begin + 1 + pick(upper - begin - 1)
  const low = pick(size)
  return [{ begin, end, low, high: pick(2) ? low + pick(size - low + 1) : low }]
}

/** A problem with some of: alignment, fixed offsets, gaps, windows in them, banks. */
function draw(number) {
  const pick = random(number)
  const has = (bit) => (number >> bit) & 1
  return Array.from({ length: 4 + pick(9) }, () => {
    const lower = pick(9)
    const upper = lower + 1 + pick(6)
    const size = 1 + pick(8)
    const alignment = has(0) ? [1, 2, 4][pick(3)] : 1
    const offset = has(1) && pick(8) === 0 ? alignment * pick(3) : -1
    // what is fixed across the border of a bank is refused when it is read
    const bank = has(3) && pick(3) === 0 && offset < 0 ? [8, 12, 16][pick(3)] : 0
    const gaps = has(2) && pick(3) === 0 ? gapsOf(pick, lower, upper, size) : []
    return { lower, upper, size, alignment, bank, offset, gaps }
  })
}

function csvOf(buffers) {
  const cell = ({ begin, end, low, high }) => `${begin}-${end}${high > low ? `@${low}:${high}` : ''}`
  const rows = buffers.map(
    (b, k) =>
      `b${k},${b.lower},${b.upper},${b.size},${b.alignment},${b.bank || ''},${b.offset},${b.gaps.map(cell).join(' ')}`,
  )
  return `id,lower,upper,size,alignment,bank,offset,gaps\n${rows.join('\n')}\n`
}

/** [begin, end, window_lower, window_upper] of what a buffer occupies. */
function piecesOf({ lower, upper, size, gaps }) {
  const cuts = [...gaps.flatMap(({ begin, end }) => [begin, end]), upper]
  const whole = [lower, ...cuts].slice(0, -1).map((from, k) => [from, cuts[k], 0, size])
  return whole.map((piece, k) => (k % 2 ? [piece[0], piece[1], gaps[(k - 1) / 2].low, gaps[(k - 1) / 2].high] : piece))
}

function ours(file, ...args) {
  const { status, stdout, stderr } = spawnSync(COMMAND, ['solve', file, '--solver=exact', '--json', ...args], {
    encoding: 'utf8',
  })
  if (status === 2 || status === null) throw new Error(`exit code ${status}\n${stderr}`)
  return JSON.parse(stdout)
}

function given(name, otherwise) {
  const found = process.argv.slice(2).find((text) => text.startsWith(name))
  return found ? Number(found.slice(name.length)) : otherwise
}

async function main() {
  const count = given('--problems=', 2500)
  const before = given('--from=', 0)
  const fetch = !process.argv.includes('--if-there')
  const judge = cpSat({ fetch })
  if (judge === null) {
    console.log(`skipped: OR-Tools is ${fetch ? 'not to be had' : 'not there; without --if-there it is fetched'}`)
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-referee-'))
  const file = join(folder, 'packing.csv')
  const sum = { feasible: 0, infeasible: 0, optima: 0, differ: 0 }
  for (let number = before + 1; number <= before + count; number++) {
    const buffers = draw(number)
    writeFileSync(file, csvOf(buffers))
    const theirs = buffers.map((b) => ({ ...b, pieces: piecesOf(b) }))
    const best = ours(file, '--minimize', '--capacity=400')
    const height = best.outcome === 'optimal' ? best.height : 60
    const [said, asked] = [[], []]
    if (number % 3 === 0) {
      const { outcome, height: least } = await judge.ask({ capacity: 400, least: true, buffers: theirs })
      said.push(`height ${best.outcome === 'optimal' ? height : 'none'}`)
      asked.push(`height ${outcome === 'feasible' ? least : 'none'}`)
      sum.optima++
    }
    for (const capacity of [height, height - 1]) {
      const mine = ours(file, `--capacity=${capacity}`).outcome
      const { outcome } = await judge.ask({ capacity, least: false, buffers: theirs })
      said.push(mine === 'infeasible' ? mine : 'feasible')
      asked.push(outcome)
      sum[outcome]++
    }
    if (said.join() === asked.join()) continue
    sum.differ++
    console.log(`problem ${number}: exact ${said.join(', ')}; CP-SAT ${asked.join(', ')}\n${csvOf(buffers)}`)
  }
  judge.end()
  rmSync(folder, { recursive: true })
  console.log(
    `${count} packings against CP-SAT: ${sum.feasible} feasible, ${sum.infeasible} infeasible, ${sum.optima} least heights; ${sum.differ} differ`,
  )
  return sum.differ > 0 ? 1 : 0
}

process.exitCode = await main()
