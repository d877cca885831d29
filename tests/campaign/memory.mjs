// Memory fails at a call of the command, and at each after it: it says so, or that the search is undecided, or it needed no more and ends as ever. The
// commands are those that the fuzz target `command` begins from, and more about graphs and tiles.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'

const ROOM = join(ROOT, 'build', 'campaign', 'memory')
const LIBRARY = join(ROOM, '..', 'failing_memory.so')
const LOG = join(ROOM, '..', 'out-of-memory')
const UNDECIDED = 3
const SEEDS = join(ROOT, 'tests/fuzz/corpus/fuzz_command')

/** A call's words and its files `a` and `b`, as fuzz_command.c reads them. */
function readCall(name) {
  const [words, a = '', b = ''] = readFileSync(join(SEEDS, name), 'latin1').split(/^==\n/m)
  return { words: words.split('\n').slice(0, -1), files: { a, b, c: 'what was there\n' } }
}

function attempt({ words, files }, command, failAt, env) {
  rmSync(ROOM, { recursive: true, force: true })
  mkdirSync(ROOM, { recursive: true })
  rmSync(LOG, { force: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(ROOM, name), text, 'latin1')
  const { status, stderr } = spawnSync(command, words, {
    cwd: ROOM,
    input: files.a,
    encoding: 'latin1',
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env, LD_PRELOAD: LIBRARY, ASC_FAIL_AT: String(failAt), ASC_FAIL_LOG: LOG },
  })
  return { status, stderr, failed: existsSync(LOG), old: readFileSync(join(ROOM, 'c'), 'latin1') }
}

/** How many calls for memory a command makes, up to a million. */
function calls(call, command, env) {
  let low = 1
  let high = 2
  while (high < 1e6 && attempt(call, command, high, env).failed) [low, high] = [high, 2 * high]
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2)
    if (attempt(call, command, middle, env).failed) low = middle
    else high = middle
  }
  return low
}

const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b))

/** A stride that meets each of so many places once, and soon places everywhere. */
function strideThrough(places) {
  let stride = Math.max(1, Math.round(places * 0.382))
  while (divisor(stride, places) !== 1) stride++
  return stride
}

/** Every command with memory failing at its calls in turn, or at as many of them as its share of the time allows. */
export function memory(seconds, { command = join(ROOT, 'build/native/arenascope'), env = {} } = {}) {
  mkdirSync(ROOM, { recursive: true })
  const source = join(ROOT, 'tests/campaign/failing_memory.c')
  if (spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', LIBRARY, source]).status !== 0)
    return [{ what: 'faults of memory', count: 0, faults: 1 }]
  const names = readdirSync(SEEDS).filter((name) => name !== 'shrink') // which runs commands without end
  const until = Date.now() + 1000 * seconds
  let count = 0
  let faults = 0
  for (const [k, name] of names.entries()) {
    const call = readCall(name)
    const plain = attempt(call, command, 1e9, env)
    const all = calls(call, command, env)
    const share = (until - Date.now()) / (names.length - k)
    const end = Date.now() + Math.max(share, 0)
    const stride = strideThrough(all)
    for (let turn = 0; turn < all && Date.now() < end; turn++) {
      const failAt = 1 + ((turn * stride) % all)
      const got = attempt(call, command, failAt, env)
      count++
      const said = (got.status === 2 && got.stderr !== '') || got.status === UNDECIDED
      if (said || got.status === plain.status) continue
      faults++
      console.log(`  ${name}, call ${failAt}: exit ${got.status}, ${got.stderr.slice(0, 200)}`)
    }
  }
  return [{ what: 'faults of memory, at calls of the command', count, faults }]
}
