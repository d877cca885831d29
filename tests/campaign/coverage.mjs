// How much of the core the tests reach, by clang: lines and branches in hundredths of a percent, and each arm of a branch that none takes (branches.mjs). The
// C tests, the tests of the command, the command without memory, and what the fuzz targets know: their seeds, what campaigns have found, and what they find
// in as many runs as every test run has. The core is compiled as it is shipped, without assertions, but with no block of memory larger than was asked for,
// so that each can be refused. Everything that counts goes in one queue over all cores, what takes longest first.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ROOT } from '../../wasm/bench/bundle.mjs'
import { countedPrograms, FOLDER, RAW, report } from './branches.mjs'

const FLAGS = ['-O1', '-DNDEBUG', '-fprofile-instr-generate', '-fcoverage-mapping']
const COMMAND = join(FOLDER, 'arenascope')
const SECONDS_OF_MEMORY = 120

/** Ends with what it printed; fails as the command fails, or as `good` says. */
function run(command, args, { env = process.env, good } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    const listen = (stream) => stream.setEncoding('utf8').on('data', (part) => (text += part))
    listen(child.stdout)
    listen(child.stderr)
    child.on('error', reject)
    child.on('close', (status) => {
      if (good ? good(text) : status === 0) resolve(text)
      else reject(new Error(`${command} ${args.join(' ')}\n${text.slice(-4000)}`))
    })
  })
}

/** The environment of a program whose counts go to a file of that name; `%m` in it: runs add up. */
const counting = (name) => ({ ...process.env, LLVM_PROFILE_FILE: join(RAW, `${name}.profraw`) })

/** Suites that try some of very many things, of which more are tried here; and of those that try a great many alike a part, in percent. */
const SAMPLES = {
  cancel: '400',
  plans: '1000',
  forged: '2000',
  oom_deep: '300',
  oom_random: '500',
  exact_laws: '25',
  taa_exact: '50',
  save: '50',
  oracle: '40',
  fit_tree: '40',
}
/** Into how many processes the longest go. */
const SHARDS = { oracle: 2, save: 2 }

/** The suites in a process each, or in some. */
function tests() {
  const suites = readFileSync(join(ROOT, 'tests/core/suites.def'), 'utf8').matchAll(/^ASC_SUITE\((\w+)\)/gm)
  return [...suites].flatMap(([, suite]) => {
    const percent = SAMPLES[suite] ?? process.env.ARENASCOPE_TEST_PERCENT ?? '100'
    const shards = SHARDS[suite] ?? 1
    return Array.from({ length: shards }, (_, k) => ({
      name: `${suite} ${k + 1}/${shards}`,
      work: () =>
        run(join(FOLDER, 'arenascope-tests'), [`--shard=${k + 1}/${shards}`, suite], {
          env: { ...counting(`${suite}-${k}`), ARENASCOPE_TEST_PERCENT: percent },
        }),
    }))
  })
}

/** The command's tests. Where one leaves no room on the disk the counts cannot be written, which the command's output says: those few fail here. */
const command = {
  name: 'command',
  work: () =>
    run('node_modules/.bin/vitest', ['run', '--config', 'web/vite.config.ts', '--project', 'unit*', 'tests/cli'], {
      env: { ...counting('command-%m'), ARENASCOPE_COMMAND: COMMAND },
      good: (text) => /Tests .*\d+ passed/.test(text),
    }),
}

/** The command without memory: one call alone fails, since the counts could not be written without any. In a thread of its own, for it waits. */
const withoutMemory = {
  name: 'command without memory',
  work: () =>
    new Promise((resolve, reject) => {
      const env = { ...counting('memory-%m'), ASC_FAIL_FOR: '1' }
      const thread = new Worker(new URL('memory_thread.mjs', import.meta.url), {
        workerData: { seconds: SECONDS_OF_MEMORY, command: COMMAND, env },
      })
      thread.on('error', reject)
      thread.on('exit', (code) => (code ? reject(new Error(`memory: ${code}`)) : resolve('')))
    }),
}

/** A fuzz target as a program that reads files: with libFuzzer it would count for libFuzzer alone. */
async function buildTarget(name) {
  const sources = [`tests/fuzz/${name}.c`, 'tests/campaign/replay.c']
  const folders = ['core/src', 'core/include', 'core/cli', join(FOLDER, 'generated')]
  if (name === 'fuzz_command')
    for (const folder of ['core/cli', 'core/cli/commands'])
      sources.push(
        ...readdirSync(join(ROOT, folder))
          .filter((file) => /\.c$/.test(file) && file !== 'main.c')
          .map((file) => join(folder, file)),
      )
  await run('clang', [
    '-std=c17',
    '-D_POSIX_C_SOURCE=200809L',
    '-DASC_TIGHT_MEMORY',
    ...FLAGS,
    ...folders.map((folder) => `-I${folder}`),
    ...sources,
    join(FOLDER, 'libarenascope.a'),
    '-lm',
    '-o',
    join(FOLDER, name),
  ])
}

/** As many inputs as every test run has, with the same numbers: what is found new is kept. */
const RUNS = { fuzz_calls: 2000, fuzz_command: 3000, fuzz_proof: 3000 }
const search = (name) =>
  run('tests/fuzz/run.sh', ['swift', name, `${name}.counted`, `-runs=${RUNS[name] ?? 10000}`, '-seed=1'])

/** Runs the program on all inputs that there are: of the sources, of campaigns, and of the search. */
async function replay(name) {
  const folders = ['tests/fuzz/corpus', 'build/fuzz/corpus', 'build/swift/corpus'].map((folder) => join(folder, name))
  const inputs = [...folders, `build/swift/corpus/${name}.counted`]
    .map((folder) => join(ROOT, folder))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((input) => join(folder, input)))
  for (let from = 0; from < inputs.length; from += 1000)
    await run(join(FOLDER, name), inputs.slice(from, from + 1000), { env: counting(`${name}-%m`) })
}

function targets() {
  return readdirSync(join(ROOT, 'tests/fuzz'))
    .filter((file) => file.endsWith('.c'))
    .map((file) => file.slice(0, -2))
    .map((name) => ({ name, work: () => Promise.all([buildTarget(name), search(name)]).then(() => replay(name)) }))
}

/** What takes longest, so that it is begun first; in this order. */
const LONGEST = ['command', 'forged', 'oom_random', 'oom_deep', 'save', 'oom_runs', 'oracle', 'fuzz_calls']
const SLOW = 20

/** All of it, as many at once as there are cores. What takes long is said. */
async function countAll(tasks) {
  const rank = ({ name }) => LONGEST.findIndex((word) => name.startsWith(word)) + 1 || LONGEST.length + 1
  const queue = [...tasks].sort((a, b) => rank(a) - rank(b))
  const serve = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const begin = Date.now()
      await task.work()
      const seconds = Math.round((Date.now() - begin) / 1000)
      if (seconds >= SLOW) console.log(`  ${task.name}: ${seconds} s`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, serve))
}

export async function coverage() {
  rmSync(RAW, { recursive: true, force: true })
  mkdirSync(RAW, { recursive: true })
  const settings = [
    '-DCMAKE_C_COMPILER=clang',
    '-DCMAKE_BUILD_TYPE=None',
    `-DCMAKE_C_FLAGS=${FLAGS.join(' ')}`,
    '-DASC_TIGHT_MEMORY=ON',
  ]
  await run('cmake', ['-S', 'core', '-B', FOLDER, '-G', 'Ninja', ...settings])
  await run('ninja', ['-C', FOLDER, 'arenascope-tests', 'arenascope-cli'])
  await run('cmake', ['-S', 'core', '--preset', 'swift'])
  await run('cmake', ['--build', 'build/swift', '--target', 'fuzz'])
  await run('bash', ['build.sh', 'wasm'])
  await countAll([command, withoutMemory, ...targets(), ...tests()])
  const { lines, branches } = report(countedPrograms())
  return [
    { what: 'lines of the core that the tests reach, percent', count: lines, faults: 0, latest: true },
    { what: 'branches of the core that the tests reach, percent', count: branches, faults: 0, latest: true },
  ]
}
