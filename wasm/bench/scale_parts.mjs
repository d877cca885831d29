/** The parts of the bench of large problems. A part prints its table and returns false if native and WASM searched otherwise. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { generated } from './instances.mjs'
import { run } from './native.mjs'
import { group, printTable } from './table.mjs'

// a solver and its options; with nodesEach it is given up after so many nodes for each buffer
const LARGE = { name: 'large', solver: 'large', goal: 'height', options: [] }
const FIRST_FIT = { name: 'first-fit', solver: 'first-fit', options: [] }
// its own dives, which it leaves to large's tries on problems of this size
const DIVE = { name: 'exact: dive', solver: 'exact', goal: 'height', options: ['ejection=never'], nodesEach: 2 }

/** Searches that try alternatives: none is for so many buffers. The best of the first is shown by its dive. */
const SEARCHES = ['exact', 'minimalloc', 'telamalloc', 'simple']

/** The greedy family, the hill climbs, whatever else there is, and the dive. */
function beside(native, without) {
  const { stdout } = run(join(dirname(native), 'arenascope'), ['solvers', '--json'])
  const others = JSON.parse(stdout).filter(
    ({ id, domain }) => domain === 'buffers' && !SEARCHES.includes(id) && id !== without,
  )
  const goalOf = ({ goals }) => (goals.includes('height') ? 'height' : 'fit')
  return [...others.map((one) => ({ name: one.id, solver: one.id, goal: goalOf(one), options: [] })), DIVE]
}

// ---- one run -----------------------------------------------------------------------------------------------------------

/** After which a run with a limit is still making itself, or in one step: reading and a busy machine allowed for. */
const patience = (ms) => 30_000 + 4 * ms

const GIVEN_UP = 'given up'
const TOO_LARGE = 'too large'

/** The native row, {why} if there is no plan: given up, perhaps before its first step, or refused. */
function nativeRow({ native }, path, what, { ms, within, repeat, buffers }) {
  const args = [
    path,
    `--solver=${what.solver}`,
    `--goal=${what.goal ?? 'fit'}`,
    ...what.options.map((option) => `--option=${option}`),
  ]
  args.push(`--ms=${ms}`, `--within=${within}`, `--repeat=${repeat}`, '--processor')
  if (what.nodesEach) args.push(`--nodes=${what.nodesEach * buffers}`)
  const { status, stdout, stderr, error } = spawnSync(native, args, {
    encoding: 'utf8',
    timeout: patience(repeat * ms),
  })
  if (error?.code === 'ETIMEDOUT') return { why: GIVEN_UP }
  if (error) throw error
  if (/out of memory/.test(stderr)) return { why: TOO_LARGE }
  if (status !== 0) throw new Error(`${native} ${args.join(' ')}: exit code ${status}\n${stderr}`)
  const row = JSON.parse(stdout)
  return row.height < 0 ? { why: GIVEN_UP } : row
}

async function wasmRow({ watch, bytes }, path, what, { wasmMs, within, repeat, buffers }) {
  const options = Object.fromEntries(what.options.map((option) => option.split('=')))
  const made = { csv: readFileSync(path, 'utf8'), solver: what.solver, goal: what.goal ?? 'fit', options }
  const limits = { ms: wasmMs, within, nodes: (what.nodesEach ?? 0) * buffers }
  try {
    const row = await watch(bytes, made, limits, repeat)
    return row.height < 0 ? { why: GIVEN_UP } : row
  } catch (error) {
    if (error.reason === 'memory') return { why: TOO_LARGE }
    throw error
  }
}

/** Both, side by side; a solver that gets nowhere natively is not waited for again. limits: {ms, wasmMs, within, repeat, buffers}. */
async function measured(setting, path, what, limits) {
  const row = nativeRow(setting, path, what, limits)
  const wasm = row.why ? row : await wasmRow(setting, path, what, limits)
  // a run that a limit ended may have gone less far
  const ended = [row, wasm].every(({ why, outcome }) => !why && outcome !== 'running')
  const same = !ended || (wasm.digest === row.digest && wasm.steps === row.steps)
  return { name: basename(path, '.csv'), what, row, wasm, same }
}

// ---- the table ---------------------------------------------------------------------------------------------------------

const ms = (number) => number?.toFixed(number < 100 ? 1 : 0) ?? '-'
const ratio = ({ height, lowerBound }) => (height / lowerBound).toFixed(6)
const each = (bytes, buffers) => group(Math.round(bytes / buffers))

const kept = ({ msWithin }, most) => (msWithin ?? Number.POSITIVE_INFINITY) <= most

/** Whether both kept to the target {within, ms, wasmMs}. */
const isMet = ({ row, wasm, target }) => kept(row, target.ms) && kept(wasm, target.wasmMs)

/** A first fit has one plan, as low as it may be. */
const ANY = 1_000_000_000

function targetText({ within, ms: most, wasmMs }) {
  const low = within === 0 ? 'the bound' : within === ANY ? 'a plan' : `${within / 10_000} %`
  return `${low} in ${group(most)}, WASM ${group(wasmMs)} ms`
}

/** The text of a row, of its native or its WASM side, if that has a plan. */
const of = (side, text) => (result) => (result[side] && !result[side].why ? text(result[side], result.row.buffers) : '')

const COLUMNS = [
  ['instance', 24, ({ name, note, beside }) => note ?? (beside ? '' : name)],
  ['solver', 16, ({ what }) => what?.name ?? ''],
  ['height / bound', -14, ({ row }) => (row ? (row.why ?? ratio(row)) : '')],
  ['native ms', -9, of('row', (row) => ms(row.msHeight))],
  ['WASM ms', -9, ({ wasm }) => (wasm ? (wasm.why ?? ms(wasm.msHeight)) : '')],
  ['within: ms', -10, of('row', (row) => ms(row.msWithin))],
  ['WASM ms', -8, of('wasm', (row) => ms(row.msWithin))],
  ['bytes each', -10, of('row', (row, buffers) => each(row.bytes, buffers))],
  ['WASM', -6, of('wasm', (row, buffers) => each(row.heapBytes, buffers))],
  ['target', 32, ({ target }) => (target ? targetText(target) : '')],
  ['met', 3, (result) => (result.target ? (isMet(result) ? 'yes' : 'NO') : '')],
  ['', 0, ({ same }) => (same === false ? 'WASM SEARCHES OTHERWISE' : '')],
]

/** Prints the results and how many of the targets were met. */
function report(results) {
  printTable(COLUMNS, results)
  const judged = results.filter(({ target }) => target)
  const met = judged.filter(isMet)
  if (judged.length > 0) console.log(`\n${met.length} of ${judged.length} targets met`)
  return results.every(({ same }) => same !== false)
}

const buffersOf = (path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).length - 1

/** Rows of the other solvers on an instance, and a note on those without a plan. */
async function others(setting, path, what, limits) {
  const results = []
  for (const other of beside(setting.native, what.solver))
    results.push({ ...(await measured(setting, path, other, limits)), beside: true })
  const without = (why) => results.filter(({ row }) => row.why === why).map((result) => result.what.name)
  const note = (words, names) => (names.length > 0 ? [{ note: `  ${words}: ${names.join(', ')}` }] : [])
  return [
    ...results.filter(({ row }) => !row.why),
    ...note(`no plan after ${group(limits.ms)} ms`, without(GIVEN_UP)),
    ...note('too large for', without(TOO_LARGE)),
  ]
}

/**
 * The solver on each of the paths, with what it is to reach there, {within, ms, wasmMs} or null; beneath those that are `shown` beside
 * others, these. limits: {ms, wasmMs, within, patience: how many times as long as elsewhere others may take}.
 */
async function compare(setting, paths, what, limits, target, isShown) {
  const results = []
  for (const path of paths) {
    const buffers = buffersOf(path)
    const result = await measured(setting, path, what, { ...limits, buffers, repeat: setting.repeat })
    results.push({ ...result, target: target(result.name) })
    if (setting.beside === 0 || !isShown(path)) continue
    const ms = setting.beside * (limits.patience ?? 1)
    const short = { ms, wasmMs: 2 * ms, within: limits.within, repeat: 1, buffers }
    results.push(...(await others(setting, path, what, short)))
  }
  return results
}

// ---- the parts ---------------------------------------------------------------------------------------------------------

const PROFILES = ['training', 'heavy-tailed', 'powers-of-two', 'stationary']

const PUBLISHED = ['G_1', 'resnet50', 'pangu_2.6B', 'S_1', 'Y_1']
const AT_ONCE = { within: 0, ms: 20, wasmMs: 20 }

/** The published instances of these names, and a word on those that are not there. */
function published(suites, names) {
  const paths = names.map((name) => join(suites ?? '', 'idealloc', `${name}.csv`))
  const missing = names.filter((_, k) => !suites || !existsSync(paths[k]))
  if (missing.length > 0) console.log(`left out, not in the folder "idealloc" of suites: ${missing.join(', ')}\n`)
  return paths.filter((_, k) => !missing.includes(names[k]))
}

async function onPublished(setting) {
  const paths = published(setting.suites, PUBLISHED)
  const limits = { ms: 2000, wasmMs: 4000, within: 0 }
  const target = (name) => (/^(G_1|resnet50)$/.test(name) ? AT_ONCE : null)
  return report(await compare(setting, paths, LARGE, limits, target, () => true))
}

async function onProfiles(setting) {
  const target = { within: 5000, ms: 500, wasmMs: 500 }
  const limits = { ms: 3000, wasmMs: 6000, within: target.within }
  const results = []
  for (const kind of PROFILES) {
    const seeds = Array.from({ length: setting.seeds }, (_, k) => k + 1)
    const paths = seeds.map((seed) => generated(setting.native, setting.folder, kind, 100_000, seed))
    const isLast = (path) => path === paths.at(-1)
    results.push(...(await compare(setting, paths, LARGE, limits, () => target, isLast)))
  }
  return report(results)
}

async function onMillions(setting) {
  const target = { within: 1000, ms: 5000, wasmMs: 10_000 }
  const limits = { ms: 10_000, wasmMs: 20_000, within: target.within, patience: 5 }
  const paths = PROFILES.map((kind) => generated(setting.native, setting.folder, kind, 1_000_000, 1))
  const isFirst = (path) => path === paths[0]
  return report(await compare(setting, paths, LARGE, limits, () => target, isFirst))
}

async function onFirstFit(setting) {
  const target = { within: ANY, ms: 150, wasmMs: 150 }
  const limits = { ms: 20_000, wasmMs: 20_000, within: ANY }
  const paths = [
    ...published(setting.suites, ['Y_1']),
    generated(setting.native, setting.folder, 'training', 62_000, 1),
  ]
  return report(
    await compare(
      setting,
      paths,
      FIRST_FIT,
      limits,
      () => target,
      () => true,
    ),
  )
}

export const parts = {
  published: { text: '* instances of idealloc: G_1, resnet50, pangu, S_1, Y_1', suite: 'idealloc', run: onPublished },
  profiles: { text: '100,000 generated buffers of each profile', run: onProfiles },
  million: { text: '1,000,000 generated buffers of each profile', run: onMillions },
  'first-fit': { text: 'first fit of 62,000 buffers, 9,000 of them alive at once', run: onFirstFit },
}
