// One search, many builds: the digest of every step, the height and the plan are the same whatever compiled it. Compilers that are not there are left out,
// and said so; the WASM module is compared with the native build by tests/wasm/parity.test.ts.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'

const FOLDER = join(ROOT, 'build', 'campaign')
const BUILDS = {
  'gcc-O0': ['gcc', '-O0'],
  'gcc-Os': ['gcc', '-Os'],
  'gcc-native': ['gcc', '-O3 -march=native'],
  'clang-O2': ['clang', '-O2'],
  'gcc-32': ['gcc', '-O2 -m32 -msse2 -mfpmath=sse'],
  arm: ['arm-linux-gnueabihf-gcc', '-O2 -static'],
}
const SOLVERS = [
  'exact',
  'minimalloc',
  'telamalloc',
  'large',
  'greedy',
  'simple',
  'best-fit',
  'vela-hill-climb',
  'tvm-hill-climb',
  'contention',
]
const KINDS = [
  'synthetic',
  'network',
  'training',
  'heavy-tailed',
  'powers-of-two',
  'stationary',
  'random',
  'full-overlap',
]

/** The command of a build, or null if it cannot be made here. */
function made(name, [compiler, flags]) {
  const folder = join(FOLDER, name)
  const quiet = { cwd: ROOT, encoding: 'utf8' }
  const how = ['-S', 'core', '-B', folder, '-G', 'Ninja', '-DASC_TESTS=OFF', '-DCMAKE_BUILD_TYPE=None']
  if (spawnSync('cmake', [...how, `-DCMAKE_C_COMPILER=${compiler}`, `-DCMAKE_C_FLAGS=${flags}`], quiet).status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  return spawnSync('ninja', ['-C', folder, 'arenascope-cli'], quiet).status === 0 ? join(folder, 'arenascope') : null
}

/** What a search came to, without its time; the words of a refusal. */
function said(command, args, output) {
  const before = command.includes('/arm/') ? ['qemu-arm', command] : [command]
  rmSync(output, { force: true })
  const { status, stdout, stderr } = spawnSync(before[0], [...before.slice(1), ...args], { encoding: 'utf8' })
  let plan = ''
  try {
    plan = createHash('sha256').update(readFileSync(output)).digest('hex')
  } catch {}
  return `${status} ${stdout.replace(/"seconds":[\d.]+/, '')} ${stdout ? '' : stderr} ${plan}`
}

export function builds(seconds) {
  const commands = { native: join(ROOT, 'build/native/arenascope') }
  for (const [name, how] of Object.entries(BUILDS)) {
    const command = made(name, how)
    if (command) commands[name] = command
    else console.log(`  no build ${name} here`)
  }
  const [problem, output] = [join(FOLDER, 'problem.csv'), join(FOLDER, 'plan.csv')]
  const end = Date.now() + seconds * 1000
  let searches = 0
  let faults = 0
  for (let k = 0; Date.now() < end; k++) {
    const kind = KINDS[k % KINDS.length]
    const told = spawnSync(
      commands.native,
      ['generate', kind, `--n=${5 + (k % 41)}`, `--seed=${k}`, `--output=${problem}`],
      { encoding: 'utf8' },
    )
    const capacity = Number(/capacity (\d+)/.exec(told.stdout)?.[1] ?? 1000)
    for (const solver of SOLVERS) {
      const args = [
        'solve',
        '--json',
        `--solver=${solver}`,
        `--capacity=${capacity - (k % 3)}`,
        '--steps=3000',
        `--seed=${k}`,
        `--output=${output}`,
        problem,
      ]
      const answers = Object.entries(commands).map(([name, command]) => [name, said(command, args, output)])
      searches++
      for (const [name, answer] of answers.slice(1)) {
        if (answer === answers[0][1]) continue
        faults++
        console.log(
          `  ${name} differs: arenascope generate ${kind} --n=${5 + (k % 41)} --seed=${k}; arenascope ${args.join(' ')}`,
        )
      }
    }
  }
  return [
    {
      what: `searches on ${Object.keys(commands).length} builds each (${Object.keys(commands).join(', ')})`,
      count: searches,
      faults,
    },
  ]
}
