// How much of the core the tests reach, by clang: lines and branches in hundredths of a percent, and the files with most left. The C tests, the tests of
// the command, the command without memory, and what the fuzz targets know: their seeds and what campaigns have found. The core is compiled as it is
// shipped, without assertions, but with no block of memory larger than was asked for, so that each can be refused.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'
import { memory } from './memory.mjs'

const FOLDER = join(ROOT, 'build', 'campaign', 'coverage')
const RAW = join(FOLDER, 'raw')
const FLAGS = ['-O1', '-DNDEBUG', '-fprofile-instr-generate', '-fcoverage-mapping']
const COMMAND = join(FOLDER, 'arenascope')
const SECONDS_OF_MEMORY = 120

function run(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    ...options,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`.slice(0, 4000))
  return stdout
}

/** The environment of a program whose counts go to a file of that name; `%m` in it: runs add up. */
const counting = (name) => ({ ...process.env, LLVM_PROFILE_FILE: join(RAW, `${name}.profraw`) })

/** Suites that try some of very many things, of which more are tried here; and of those that try a great many alike a part, in percent. */
const SAMPLES = {
  forged: '3000',
  oom_deep: '1500',
  oom_random: '1000',
  exact_laws: '25',
  taa_exact: '50',
  oracle: '40',
  fit_tree: '40',
}

/** The suites in one process each, with all their cases. */
function countTests() {
  const suites = readFileSync(join(ROOT, 'tests/core/suites.def'), 'utf8').matchAll(/^ASC_SUITE\((\w+)\)/gm)
  for (const [, suite] of suites) {
    const percent = SAMPLES[suite] ?? process.env.ARENASCOPE_TEST_PERCENT ?? '100'
    run(join(FOLDER, 'arenascope-tests'), [suite], { env: { ...counting(suite), ARENASCOPE_TEST_PERCENT: percent } })
  }
}

function countCommand() {
  run('bash', ['build.sh', 'wasm'])
  const vitest = ['run', '--config', 'web/vite.config.ts', '--project', 'unit*', 'tests/cli']
  const env = { ...counting('command-%m'), ARENASCOPE_COMMAND: COMMAND }
  // where a test leaves no room on the disk the counts cannot be written, which the command's output says: those few fail here
  const { stdout } = spawnSync('node_modules/.bin/vitest', vitest, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (!/Tests .*\d+ passed/.test(stdout)) throw new Error(`the command's tests did not run\n${stdout}`.slice(0, 4000))
  // one call alone, since the counts could not be written without memory
  memory(SECONDS_OF_MEMORY, { command: COMMAND, env: { ...counting('memory-%m'), ASC_FAIL_FOR: '1' } })
}

/** A fuzz target as a program that reads files: with libFuzzer it would count for libFuzzer alone. */
function buildTarget(name) {
  const program = join(FOLDER, name)
  const sources = [`tests/fuzz/${name}.c`, 'tests/campaign/replay.c']
  const folders = ['core/src', 'core/include', 'core/cli', join(FOLDER, 'generated')]
  if (name === 'fuzz_command')
    for (const folder of ['core/cli', 'core/cli/commands'])
      sources.push(
        ...readdirSync(join(ROOT, folder))
          .filter((file) => /\.c$/.test(file) && file !== 'main.c')
          .map((file) => join(folder, file)),
      )
  run('clang', [
    '-std=c17',
    '-D_POSIX_C_SOURCE=200809L',
    '-DASC_TIGHT_MEMORY',
    ...FLAGS,
    ...folders.map((folder) => `-I${folder}`),
    ...sources,
    join(FOLDER, 'libarenascope.a'),
    '-lm',
    '-o',
    program,
  ])
  return program
}

function countTargets() {
  const targets = readdirSync(join(ROOT, 'tests/fuzz')).filter((file) => file.endsWith('.c'))
  return targets.map((file) => {
    const name = file.slice(0, -2)
    const program = buildTarget(name)
    const inputs = ['tests/fuzz/corpus', 'build/fuzz/corpus', 'build/swift/corpus']
      .map((folder) => join(ROOT, folder, name))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((input) => join(folder, input)))
    for (let from = 0; from < inputs.length; from += 1000)
      run(program, inputs.slice(from, from + 1000), { env: counting(`${name}-%m`) })
    return program
  })
}

export function coverage() {
  rmSync(RAW, { recursive: true, force: true })
  mkdirSync(RAW, { recursive: true })
  const settings = [
    '-DCMAKE_C_COMPILER=clang',
    '-DCMAKE_BUILD_TYPE=None',
    `-DCMAKE_C_FLAGS=${FLAGS.join(' ')}`,
    '-DASC_TIGHT_MEMORY=ON',
  ]
  run('cmake', ['-S', 'core', '-B', FOLDER, '-G', 'Ninja', ...settings])
  run('ninja', ['-C', FOLDER, 'arenascope-tests', 'arenascope-cli'])
  const targets = countTargets()
  countCommand()
  countTests()
  const merged = join(FOLDER, 'all.profdata')
  run('llvm-profdata', ['merge', '-sparse', '-o', merged, ...readdirSync(RAW).map((file) => join(RAW, file))])
  const objects = [COMMAND, ...targets].flatMap((program) => ['-object', program])
  const programs = [join(FOLDER, 'arenascope-tests'), ...objects]
  const { data } = JSON.parse(run('llvm-cov', ['export', '-summary-only', `-instr-profile=${merged}`, ...programs]))
  const files = data[0].files
    .map(({ filename, summary }) => ({ filename: normalize(filename), summary }))
    .filter(({ filename }) => filename.startsWith(join(ROOT, 'core/src/')))
  const left = files
    .map(({ filename, summary }) => ({
      filename,
      missed: summary.branches.count - summary.branches.covered,
      lines: summary.lines.count - summary.lines.covered,
    }))
    .sort((a, b) => b.missed - a.missed)
    .slice(0, 20)
  for (const { filename, missed, lines } of left)
    console.log(
      `  ${filename.slice(ROOT.length + 1).padEnd(44)} ${String(missed).padStart(4)} branches, ${lines} lines left`,
    )
  const percent = (what) => {
    const sum = (part) => files.reduce((total, { summary }) => total + summary[what][part], 0)
    return Math.round((10000 * sum('covered')) / sum('count')) / 100
  }
  return [
    { what: 'lines of the core that the tests reach, percent', count: percent('lines'), faults: 0, latest: true },
    {
      what: 'branches of the core that the tests reach, percent',
      count: percent('branches'),
      faults: 0,
      latest: true,
    },
  ]
}
