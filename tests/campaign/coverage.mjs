// How much of the core the C tests reach, by clang: lines and branches in hundredths of a percent, and the files with most left.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'

const FOLDER = join(ROOT, 'build', 'campaign', 'coverage')

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

export function coverage() {
  mkdirSync(FOLDER, { recursive: true })
  const flags = '-O1 -fprofile-instr-generate -fcoverage-mapping'
  run('cmake', [
    '-S',
    'core',
    '-B',
    FOLDER,
    '-G',
    'Ninja',
    '-DCMAKE_C_COMPILER=clang',
    '-DCMAKE_BUILD_TYPE=None',
    `-DCMAKE_C_FLAGS=${flags}`,
  ])
  run('ninja', ['-C', FOLDER, 'arenascope-tests'])
  const tests = join(FOLDER, 'arenascope-tests')
  const suites = readFileSync(join(ROOT, 'tests/core/suites.def'), 'utf8').matchAll(/^ASC_SUITE\((\w+)\)/gm)
  const raw = []
  for (const [, suite] of suites) {
    const profile = join(FOLDER, `${suite}.profraw`)
    run(tests, [suite], { env: { ...process.env, LLVM_PROFILE_FILE: profile, ARENASCOPE_TEST_PERCENT: '10' } })
    raw.push(profile)
  }
  const merged = join(FOLDER, 'all.profdata')
  run('llvm-profdata', ['merge', '-sparse', '-o', merged, ...raw])
  const { data } = JSON.parse(run('llvm-cov', ['export', '-summary-only', `-instr-profile=${merged}`, tests]))
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
    .slice(0, 10)
  for (const { filename, missed, lines } of left)
    console.log(
      `  ${filename.slice(ROOT.length + 1).padEnd(44)} ${String(missed).padStart(4)} branches, ${lines} lines left`,
    )
  const percent = (what) => {
    const sum = (part) => files.reduce((total, { summary }) => total + summary[what][part], 0)
    return Math.round((10000 * sum('covered')) / sum('count')) / 100
  }
  return [
    { what: 'lines of the core that the C tests reach, percent', count: percent('lines'), faults: 0, latest: true },
    {
      what: 'branches of the core that the C tests reach, percent',
      count: percent('branches'),
      faults: 0,
      latest: true,
    },
  ]
}
