#!/usr/bin/env node
// Tests for hours what `build.sh test` tests for minutes, and writes TESTING.md's table of figures from what this and earlier sittings counted (counts.mjs):
//   node tests/campaign/campaign.mjs [--hours=N] [--part=NAME]...
// Each part has its share of the time. What is found stays in build/campaign/ and build/fuzz/found/; a failing CSV is made small by `arenascope shrink`.
// `--part=coverage` says what the tests reach of the core.
// Ends with 1 if there was a fault.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'
import { builds } from './builds.mjs'
import { note, writeTable } from './counts.mjs'
import { coverage } from './coverage.mjs'
import { files } from './files.mjs'
import { inputs } from './inputs.mjs'
import { memory } from './memory.mjs'
import { twice } from './twice.mjs'

const FOLDER = join(ROOT, 'build', 'campaign')

/** What a program printed, and whether it ended well; its output is kept. */
function run(name, command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  })
  writeFileSync(join(FOLDER, `${name}.log`), `${stdout}${stderr}`)
  return { ok: status === 0, text: `${stdout}${stderr}` }
}

const total = (text, pattern) =>
  [...text.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1].replaceAll(',', '')), 0)

const random = () => Math.floor(Math.random() * 2 ** 31) + 1

/** libFuzzer on targets, from the corpus that earlier campaigns have left; preset: of core/CMakePresets.json. */
function fuzzed(preset, targets, seconds, words) {
  for (const args of [
    ['-S', 'core', '--preset', preset],
    ['--build', `build/${preset}`, '--target', 'fuzz'],
  ]) {
    const { ok, text } = run(`${preset}-build`, 'cmake', args)
    if (!ok) throw new Error(text.slice(-2000))
  }
  const each = Math.max(1, Math.floor(seconds / targets.length))
  return targets.map((target) => {
    const seed = random()
    const args = [preset, target, target, `-max_total_time=${each}`, `-seed=${seed}`, '-print_final_stats=1']
    const { ok, text } = run(`${preset}-${target}`, 'tests/fuzz/run.sh', args)
    const count = total(text, /number_of_executed_units: (\d+)/g)
    return { what: `inputs of fuzz target ${target.slice(5)}, ${words}`, count, faults: ok ? 0 : 1, seed }
  })
}

function fuzz(seconds) {
  const all = readdirSync(join(ROOT, 'tests/fuzz'))
    .filter((name) => name.endsWith('.c'))
    .map((name) => name.slice(0, -2))
  return fuzzed('fuzz', all, seconds, 'under sanitizers')
}

/** Of the targets that read, which take a few microseconds for each input, ten times as many. */
const swift = (seconds) => fuzzed('swift', READERS, seconds, 'without sanitizers')
const READERS = ['fuzz_packed', 'fuzz_task', 'fuzz_csv', 'fuzz_graph']

/** A million problems in so many parts, of which a sitting takes those from a random one on. */
const PARTS_OF_A_MILLION = 5000

/** Every solver on tiny problems with every constraint, against the search that tries everything. */
function everySolver(seconds) {
  const env = { ...process.env, ARENASCOPE_TEST_PERCENT: '10000' }
  const first = random() % PARTS_OF_A_MILLION
  const end = Date.now() + seconds * 1000
  let [part, count, faults] = [first, 0, 0]
  for (; Date.now() < end && part < PARTS_OF_A_MILLION; part++) {
    const args = [`--shard=${part + 1}/${PARTS_OF_A_MILLION}`, 'oracle']
    const { ok, text } = run('oracle', 'build/native/arenascope-tests', args, { env })
    count += total(text, /^(\d+) problems/gm)
    if (!ok) run(`oracle-${part}`, 'build/native/arenascope-tests', args, { env })
    faults += ok ? 0 : 1
  }
  const what = 'problems for every solver, against brute force'
  return { what, count, faults, seed: `${first} to ${part} of ${PARTS_OF_A_MILLION}` }
}

/** The suites of exact alone: the problems follow from their numbers, so that another sitting has the same again. 100 percent take about a second each. */
function exactAlone(seconds) {
  const suites = { exact: 8, exact_laws: 12, proof: 4 }
  const percent = Math.max(1, Math.floor((100 * seconds) / Object.values(suites).reduce((sum, one) => sum + one)))
  const env = { ...process.env, ARENASCOPE_TEST_PERCENT: String(percent) }
  return Object.keys(suites).map((suite) => {
    const { ok, text } = run(`oracle-${suite}`, 'build/native/arenascope-tests', [suite], { env })
    const what = `suite ${suite} against brute force, percent of what every test run has`
    if (suite !== 'exact') return { what, count: percent, faults: ok ? 0 : 1, latest: true }
    return {
      what: 'problems for exact, against brute force',
      count: total(text, /^(\d+) problems/gm),
      faults: ok ? 0 : 1,
      latest: true,
    }
  })
}

const oracle = (seconds) => [everySolver(seconds * 0.7), ...exactAlone(seconds * 0.3)]

/** Another solver, of other people: OR-Tools' CP-SAT, if it is to be had. */
function cpsat(seconds) {
  const problems = Math.max(20, Math.floor(seconds * 6)) // they follow from their numbers
  const { ok, text } = run('cpsat', 'node', ['tests/referee/packing.mjs', `--problems=${problems}`])
  const skipped = /^skipped/m.test(text)
  return [{ what: 'exact against CP-SAT, problems', count: skipped ? 0 : problems, faults: ok ? 0 : 1, latest: true }]
}

/** clang-tidy, whose analyzer goes on for as long as it does by default. */
function analysis() {
  const { ok, text } = run('analysis', 'node', ['tests/tidy.mjs', '--closely'])
  return [
    {
      what: 'C files read closely by clang-tidy',
      count: total(text, /of (\d+) files read/g),
      faults: ok ? 0 : 1,
      latest: true,
    },
  ]
}

/** The page, used without rest: rounds of the same, and any actions. */
function page(seconds) {
  const vitest = ['run', '--config', 'web/vite.config.ts', '--project', 'soak']
  const seed = random() % 1_000_000
  const soak = run('page', 'node_modules/.bin/vitest', [...vitest, 'soak.test'], {
    env: { ...process.env, ARENASCOPE_SOAK: String(seconds / 3) },
  })
  const any = run('actions', 'node_modules/.bin/vitest', [...vitest, 'actions.test'], {
    env: {
      ...process.env,
      ARENASCOPE_ACTIONS_SECONDS: String((seconds * 2) / 3),
      ARENASCOPE_ACTIONS_SEED: String(seed),
    },
  })
  return [
    { what: 'rounds of the page in Chromium', count: total(soak.text, /^(\d+) rounds/gm), faults: soak.ok ? 0 : 1 },
    { what: 'random actions on the page', count: total(any.text, /^(\d+) actions/gm), faults: any.ok ? 0 : 1, seed },
  ]
}

/** Each part's share of the time. */
const PARTS = {
  fuzz: [fuzz, 0.3],
  swift: [swift, 0.1],
  oracle: [oracle, 0.15],
  cpsat: [cpsat, 0.1],
  builds: [builds, 0.1],
  analysis: [analysis, 0],
  inputs: [inputs, 0.1],
  files: [files, 0],
  memory: [memory, 0.05],
  page: [page, 0.1],
  twice: [twice, 0],
  coverage: [coverage, 0],
}

const chosen = process.argv.filter((word) => word.startsWith('--part=')).map((word) => word.slice(7))
const hours = Number(process.argv.find((word) => word.startsWith('--hours='))?.slice(8) ?? 1)
const wrong =
  process.argv.slice(2).find((word) => !/^--(hours=[\d.]+|part=\w+)$/.test(word)) ?? chosen.find((name) => !PARTS[name])
if (wrong !== undefined || !(hours > 0)) {
  console.error(`campaign: "${wrong}": expected --hours=N and --part=${Object.keys(PARTS).join(' | ')}`)
  process.exit(2)
}
mkdirSync(FOLDER, { recursive: true })
const names = Object.keys(PARTS).filter((name) => chosen.length === 0 || chosen.includes(name))
const shares = names.reduce((sum, name) => sum + PARTS[name][1], 0) || 1
let faults = 0
for (const name of names) {
  const [part, share] = PARTS[name]
  const begin = Date.now()
  const rows = await part((hours * 3600 * share) / shares)
  for (const { what, count, faults } of rows)
    console.log(`${what.padEnd(60)} ${count.toLocaleString('en').padStart(14)} ${faults ? `${faults} FAULTS` : ''}`)
  note(rows)
  faults += rows.reduce((sum, row) => sum + row.faults, 0)
  console.log(`  ${name}: ${Math.round((Date.now() - begin) / 1000)} s`)
}
writeTable()
process.exit(faults ? 1 : 0)
