#!/usr/bin/env node
// Tests for hours what `build.sh test` tests for minutes, and writes TESTING.md's table of figures from what this and earlier sittings counted (counts.mjs):
//   node tests/campaign/campaign.mjs [--hours=N] [--part=NAME]...
// Each part has its share of the time, in sittings of some minutes: a campaign that is ended loses the last of them. What is found stays in build/campaign/
// and build/fuzz/found/; a failing CSV is made small by `arenascope shrink`.
// `--part=coverage` says what the tests reach of the core.
// Ends with 1 if there was a fault.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../../wasm/bench/bundle.mjs'
import { builds } from './builds.mjs'
import { note, noted, writeTable } from './counts.mjs'
import { coverage } from './coverage.mjs'
import { files } from './files.mjs'
import { inputs } from './inputs.mjs'
import { memory } from './memory.mjs'
import { twice } from './twice.mjs'

const FOLDER = join(ROOT, 'build', 'campaign')

/** What a program printed, and whether it ended well; its output is kept as it comes: of a sitting that is killed too. */
function run(name, command, args, options = {}) {
  const file = join(FOLDER, `${name}.log`)
  const log = openSync(file, 'w')
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', log, log], ...options })
  closeSync(log)
  return { ok: status === 0, text: stripVTControlCharacters(readFileSync(file, 'utf8')) }
}

const total = (text, pattern) =>
  [...text.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1].replaceAll(',', '')), 0)

const random = () => Math.floor(Math.random() * 2 ** 31) + 1

/** The fuzz targets as a preset of core/CMakePresets.json makes them. */
function buildTargets(preset) {
  for (const args of [
    ['-S', 'core', '--preset', preset],
    ['--build', `build/${preset}`, '--target', 'fuzz'],
  ]) {
    const { ok, text } = run(`${preset}-build`, 'cmake', args)
    if (!ok) throw new Error(text.slice(-2000))
  }
}

/** libFuzzer on a target of the preset, from the corpus that earlier campaigns have left; flags: of libFuzzer. */
function fuzzed(preset, target, seconds, words, flags = []) {
  const seed = random()
  const time = `-max_total_time=${Math.max(1, Math.floor(seconds))}`
  const args = [preset, target, target, time, `-seed=${seed}`, '-print_final_stats=1', ...flags]
  const { ok, text } = run(`${preset}-${target}`, 'tests/fuzz/run.sh', args)
  const count = total(text, /number_of_executed_units: (\d+)/g)
  return { what: `inputs of fuzz target ${target.slice(5)}, ${words}`, count, faults: ok ? 0 : 1, seed }
}

function fuzz(seconds) {
  const all = readdirSync(join(ROOT, 'tests/fuzz'))
    .filter((name) => name.endsWith('.c'))
    .map((name) => name.slice(0, -2))
  buildTargets('fuzz')
  return all.map((target) => fuzzed('fuzz', target, seconds / all.length, 'under sanitizers'))
}

/**
 * Of the targets that read, which take a few microseconds for each input, ten times as many; each target's tenths of the time, most where an input takes
 * least. To weigh rare features would take a third of the time, but it also keeps away from inputs that take long, which a task's may.
 */
const READERS = { fuzz_packed: 7, fuzz_task: 1, fuzz_csv: 1, fuzz_graph: 1 }
function swift(seconds) {
  buildTargets('swift')
  return Object.entries(READERS).map(([target, tenths]) => {
    const flags = target === 'fuzz_task' ? [] : ['-entropic=0']
    return fuzzed('swift', target, (seconds * tenths) / 10, 'without sanitizers', flags)
  })
}

/** A hundred million problems that follow from their numbers, a thousand at a time; the first ten thousand are those of every test run. */
const THOUSANDS = 100_000
const OF_EVERY_RUN = 10
const ORACLE = 'problems for every solver, against brute force'

/** Every solver on tiny problems with every constraint, against the search that tries everything: from where the last sitting ended. */
function oracle(seconds) {
  const env = { ...process.env, ARENASCOPE_TEST_PERCENT: String(THOUSANDS * 10) }
  const ends = noted(ORACLE).map(({ seed }) => Math.ceil(Number(/to (\d+)$/.exec(seed)?.[1] ?? 0) / 1000))
  const first = Math.max(OF_EVERY_RUN, (ends.at(-1) ?? 0) % THOUSANDS)
  const end = Date.now() + seconds * 1000
  let [part, count, faults] = [first, 0, 0]
  for (; Date.now() < end && part < THOUSANDS; part++) {
    const args = [`--shard=${part + 1}/${THOUSANDS}`, 'oracle']
    const { ok, text } = run('oracle', 'build/native/arenascope-tests', args, { env })
    count += total(text, /^(\d+) problems/gm)
    if (!ok) writeFileSync(join(FOLDER, `oracle-${part}.log`), text)
    faults += ok ? 0 : 1
  }
  return [{ what: ORACLE, count, faults, seed: `problems ${first * 1000} to ${part * 1000}` }]
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

/** Another solver, of other people: OR-Tools' CP-SAT, if it is to be had. */
function cpsat(seconds) {
  const problems = Math.max(20, Math.floor(seconds * 6)) // they follow from their numbers
  const { ok, text } = run('cpsat', 'node', ['tests/referee/packing.mjs', `--problems=${problems}`])
  const skipped = /^skipped/m.test(text)
  return [{ what: 'exact against CP-SAT, problems', count: skipped ? 0 : problems, faults: ok ? 0 : 1, latest: true }]
}

/** Models before the official runtimes of the small packages, where they are to be had. */
function referee() {
  const { ok, text } = run('referee', 'node', ['tests/referee/referee.mjs', '--quick'])
  return [
    {
      what: 'models before LiteRT and TFLite Micro',
      count: total(text, /: \d+ of (\d+) runs/g),
      faults: ok ? 0 : 1,
      latest: true,
    },
  ]
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

const VITEST = ['run', '--config', 'web/vite.config.ts', '--project', 'soak']

/** The page, used without rest: rounds of the same. */
function page(seconds) {
  const env = { ...process.env, ARENASCOPE_SOAK: String(seconds) }
  const { ok, text } = run('page', 'node_modules/.bin/vitest', [...VITEST, 'soak.test'], { env })
  return [{ what: 'rounds of the page in Chromium', count: total(text, /^(\d+) rounds/gm), faults: ok ? 0 : 1 }]
}

/** The page, used in any way. */
function actions(seconds) {
  const seed = random() % 1_000_000
  const env = { ...process.env, ARENASCOPE_ACTIONS_SECONDS: String(seconds), ARENASCOPE_ACTIONS_SEED: String(seed) }
  const { ok, text } = run('actions', 'node_modules/.bin/vitest', [...VITEST, 'actions.test'], { env })
  if (!ok) writeFileSync(join(FOLDER, `actions-${seed}.log`), text)
  return [{ what: 'random actions on the page', count: total(text, /^(\d+) actions/gm), faults: ok ? 0 : 1, seed }]
}

/** Each part's share of the time; in sittings: it may be cut into several, each of which adds to the counts. */
const PARTS = {
  fuzz: { part: fuzz, share: 0.3, sittings: true },
  swift: { part: swift, share: 0.1, sittings: true },
  oracle: { part: oracle, share: 0.1, sittings: true },
  exact: { part: exactAlone, share: 0.05 },
  cpsat: { part: cpsat, share: 0.1 },
  referee: { part: referee, share: 0 },
  builds: { part: builds, share: 0.1, sittings: true },
  analysis: { part: analysis, share: 0 },
  inputs: { part: inputs, share: 0.1, sittings: true },
  files: { part: files, share: 0 },
  memory: { part: memory, share: 0.05 },
  page: { part: page, share: 0.03 },
  actions: { part: actions, share: 0.07, sittings: true },
  twice: { part: twice, share: 0 },
  coverage: { part: coverage, share: 0 },
}
/** Seconds of a sitting: what a campaign loses that is ended; and of the shortest that is worth its set-up. */
const SITTING = 300
const SHORTEST = 20

/** One sitting: its figures are printed and noted at once. Returns the faults. */
async function sit(part, seconds) {
  const rows = await part(seconds)
  for (const { what, count, faults } of rows)
    console.log(`${what.padEnd(60)} ${count.toLocaleString('en').padStart(14)} ${faults ? `${faults} FAULTS` : ''}`)
  note(rows)
  return rows.reduce((sum, row) => sum + row.faults, 0)
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
const shares = names.reduce((sum, name) => sum + PARTS[name].share, 0) || 1
let faults = 0
for (const name of names) {
  const { part, share, sittings } = PARTS[name]
  const begin = Date.now()
  const end = begin + (hours * 3600 * 1000 * share) / shares
  do {
    const left = Math.max(0, end - Date.now()) / 1000
    faults += await sit(part, sittings ? Math.min(left, SITTING) : left)
  } while (sittings && Date.now() + 1000 * SHORTEST < end)
  console.log(`  ${name}: ${Math.round((Date.now() - begin) / 1000)} s`)
}
writeTable()
process.exit(faults ? 1 : 0)
