#!/usr/bin/env node
// Runs checks and tests, counts them and says how long they took; `build.sh` calls it and has installed what they need.
//   node tests/run.mjs test                  everything
//   node tests/run.mjs quick [--since=REF]   what the files touch that differ from REF (HEAD, or the commit before it if nothing has changed since)
//   node tests/run.mjs lint | soak
//   node tests/run.mjs ctest [NAME...]       the C tests, or those whose suite's name has one of these in it
//   node tests/run.mjs unit | e2e [ARGUMENT...]   arguments go to Vitest
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { counted, report } from './summary.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const LOGS = join(ROOT, 'build/logs')
const CORES = availableParallelism()
process.chdir(ROOT)
process.env.NO_COLOR = '1'

/** The output of a command that must succeed. */
function output(command, ...arguments_) {
  const { status, stdout, stderr } = spawnSync(command, arguments_, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`${command} ${arguments_.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

/** Lets CTest run the tests that the arguments select. */
function ctest(...selection) {
  output('cmake', '-S', 'core', '--preset', 'native')
  output('cmake', '-S', 'core', '--preset', 'asan')
  output('cmake', '-S', 'tests', '-B', 'build/tests', '-G', 'Ninja')
  const folder = ['--test-dir', 'build/tests']
  const { tests } = JSON.parse(output('ctest', ...folder, ...selection, '--show-only=json-v1'))
  const planned = tests.map(({ name, properties }) => ({
    name,
    labels: properties.find((property) => property.name === 'LABELS')?.value ?? [],
  }))
  const junit = join(LOGS, 'ctest.xml')
  rmSync(junit, { force: true })
  // three places more than there are cores: the soak mostly waits, and there are always two pages that do
  const how = ['-j', `${CORES + 3}`, '--output-on-failure', '--no-label-summary', '--output-junit', junit]
  const whole = ['--test-output-size-passed', '100000000', '--test-output-size-failed', '100000000']
  spawnSync('ctest', [...folder, ...selection, ...how, ...whole], { stdio: 'inherit' })
  let text = ''
  try {
    text = readFileSync(junit, 'utf8')
  } catch {
    console.error('CTest died')
  }
  console.log()
  return report(planned, text)
}

/** Runs Vitest with a developer's own arguments, on what these verbs of build.sh build. */
async function vitest(name, builds, ...arguments_) {
  for (const verb of builds) output('bash', 'build.sh', verb)
  const run = spawn('node_modules/.bin/vitest', ['run', '--config', 'web/vite.config.ts', ...arguments_], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of run.stdout) {
    process.stdout.write(chunk)
    text += chunk
  }
  const status = run.exitCode ?? (await new Promise((done) => run.on('close', done)))
  writeFileSync(join(LOGS, `${name}.log`), text)
  const { good, bad, why } = counted(text, status === 0)
  if (why) console.log(`  FAIL  ${name}: ${why}`)
  return { passed: good, failed: bad }
}

const lines = (text) => text.split('\n').filter((line) => line !== '')

/** The files that differ from a commit, and which commit that is. */
function changed(since) {
  const of = (ref) => lines(output('git', 'diff', '--name-only', ref))
  const added = lines(output('git', 'ls-files', '--others', '--exclude-standard'))
  const first = since ?? 'HEAD'
  const files = [...of(first), ...added]
  if (files.length > 0 || since !== undefined) return { since: first, files }
  return { since: 'HEAD~1', files: of('HEAD~1') }
}

/** Which tests a change touches: its files' pattern, and the tests' names. Sharded suites are asked for their first share alone. */
const TOUCHES = [
  [/./, ['lint\\.(deps|exports|profiles|summary)']],
  [/\.[ch]$/, ['lint\\.format']],
  [/\.(ts|tsx|mjs|js|json|css)$/, ['lint\\.biome']],
  [/\.(ts|tsx)$|tsconfig\.json$/, ['lint\\.tsc', 'unit\\.changed']],
  [/^core\/.*\.([ch]|def)$|^\.clang-tidy$/, ['lint\\.cppcheck\\.changed', 'lint\\.tidy\\.changed']],
  [/^core\/|^tests\/(core|corpus)\/|^examples\/.*\.csv$/, ['native\\.[a-z_]+$', 'native\\.[a-z_]+\\.1$', 'install\\.']],
  [/^core\/(src|include)\/|^wasm\/[^/]*$/, ['wasm\\.build', 'unit\\.core']],
  [/^tests\/fuzz\//, ['fuzz\\.']],
  [/^web\/(?!.*\.test\.)|^wasm\/client\/|^package/, ['web\\.build', 'page\\.']],
  [/^examples\/consumer\/|^tests\/install/, ['install\\.']],
]

function quick(arguments_) {
  const { since, files } = changed(arguments_.find((text) => text.startsWith('--since='))?.slice('--since='.length))
  process.env.ARENASCOPE_SINCE = since
  console.log(
    `${files.length} files differ from ${since}: ${files.slice(0, 8).join(', ')}${files.length > 8 ? ', …' : ''}`,
  )
  const names = TOUCHES.filter(([pattern]) => files.some((file) => pattern.test(file))).flatMap(
    ([, touched]) => touched,
  )
  return ctest('-R', `^(${[...new Set(names)].join('|') || 'lint\\.'})`)
}

/** The C suites whose name is, or else has in it, one of the words: as arenascope-tests takes them. */
const suites = (words) => `^native\\.(${words.length === 0 ? '.*' : words.map((word) => `.*${word}.*`).join('|')})`

const VERBS = {
  test: () => ctest('-LE', 'quick'),
  quick,
  lint: () => ctest('-L', '^lint$'),
  ctest: (words) => ctest('-R', suites(words)),
  unit: (rest) =>
    rest.length > 0
      ? vitest('unit', ['native', 'wasm'], '--project', 'unit*', '--project', 'dom*', ...rest)
      : ctest('-L', '^unit$'),
  e2e: (rest) =>
    rest.length > 0 ? vitest('e2e', ['web'], '--project', 'e2e*', '--maxWorkers=2', ...rest) : ctest('-L', '^e2e$'),
  soak: () => ctest('-L', '^soak$'),
}

const [verb, ...rest] = process.argv.slice(2)
mkdirSync(LOGS, { recursive: true })
const { passed, failed } = await VERBS[verb](rest)
const seconds = Math.round(performance.now() / 1000)
console.log(`${verb} took ${Math.floor(seconds / 60)} min ${seconds % 60} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
