/** The npm packages as their users have them: packed, installed in an empty folder, first the smaller one alone, in Node; types by both resolutions. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MethodSpec, writePte } from '../import/pte_writer'
import { small, writeTflite } from '../import/tflite/writer'
import { BUILD, FIVE, ROOT } from '../wasm/support'

const folder = mkdtempSync(join(tmpdir(), 'arenascope-package-'))
const at = (name: string) => join(folder, name)
const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--offline']

/** y = relu(x), both in memory 1. */
const relu: MethodSpec = {
  name: 'forward',
  values: [
    { sizes: [16], type: 6, at: { memory: 1, offset: 0 }, name: 'x' },
    { sizes: [16], type: 6, at: { memory: 1, offset: 64 } },
  ],
  inputs: [0],
  outputs: [1],
  calls: [{ op: 'aten::relu.out', args: [0, 1] }],
  sizes: [0, 128],
}

/** The tarball of a folder of build/. */
function packed(name: string): string {
  const told = execFileSync('npm', ['pack', '--json', `--pack-destination=${folder}`], { cwd: join(BUILD, name) })
  const [{ filename }] = JSON.parse(told.toString()) as [{ filename: string }]
  return at(filename)
}
const install = (...tarballs: string[]) => execFileSync('npm', ['install', ...quiet, ...tarballs], { cwd: folder })

beforeAll(() => {
  writeFileSync(at('package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(at('five.csv'), FIVE)
  writeFileSync(at('small.tflite'), writeTflite(small))
  writeFileSync(at('small.pte'), writePte([relu]))
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
// npx looks for it there, and takes seconds to do so
const installed = (...args: string[]) => run(at('node_modules/.bin/arenascope'), ...args)
const SOLVED = { status: 0, stdout: 'five: 5 buffers, 12 bytes, lower bound 12 (optimal)\n' }
let arenascope = ''

it('is at most 200 kB without importers, with which it solves a CSV and says what more to install', () => {
  arenascope = packed('npm')
  expect(statSync(arenascope).size).toBeLessThanOrEqual(200_000)
  install(arenascope)
  expect(installed('solve', 'five.csv')).toMatchObject(SOLVED)
  expect(installed('--capacity=11', 'five.csv').status).toBe(1)
  expect(installed('solve', '--solver=tflm', '--csv=-', 'five.csv').stdout).toMatch(/^id,.*\noffset|^id,[^\n]*offset/)
  const more = /npm install arenascope-models/
  for (const args of [
    ['solve', 'small.tflite'],
    ['convert', 'small.pte'],
    ['solve', 'package.json'],
  ])
    expect(installed(...args)).toMatchObject({ status: 2, stderr: expect.stringMatching(more) })
  expect(installed('solve', '--seed=x', 'five.csv').stderr).toMatch(/--seed: “x” is no count/)
  expect(installed('--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(more) })
  writeFileSync(
    at('small.js'),
    `import { createClient, load } from 'arenascope'
const core = await load()
const refused = (() => { try { core.openGraph('', {}) } catch ({ message }) { return message } })()
const client = createClient()
const csv = 'id,lower,upper,size\\na,0,3,4\\nb,0,3,4\\n'
const heights = []
for (const alignment of [1, 64]) {
  await client.open(csv, { capacity: 0, reserved: 0, alignment, alignBy: 'offset', bank: 0, mayCross: false })
  const config = { solver: 'exact', goal: 'height', capacity: 128, seed: 0, budget: 0, options: {} }
  heights.push((await client.run(config, () => undefined)).stats.height)
}
client.dispose()
console.log(JSON.stringify([core.manifest.solvers.filter(({ domain }) => domain !== 'graph').length > 15, heights, refused]))
`,
  )
  expect(run(process.execPath, 'small.js')).toMatchObject({
    stdout: expect.stringMatching(/^\[true,\[8,68\],".*arenascope-models.*"\]\n$/),
    stderr: '',
  })
})

it('solves a CSV, a TFLite and a program of ExecuTorch in a terminal, and converts', () => {
  install(arenascope, packed('npm-models'))
  expect(run('npx', '--no-install', 'arenascope', 'solve', 'five.csv')).toMatchObject(SOLVED)
  expect(installed('solve', '--capacity=11', 'five.csv').status).toBe(1)
  expect(installed('solve', 'small.tflite').stdout).toMatch(/^small: \d+ buffers, /)
  expect(installed('convert', 'small.pte')).toMatchObject({ status: 0, stdout: expect.stringContaining(',64') })
  expect(run(at('node_modules/.bin/arenascope-models'), 'solve', 'five.csv')).toMatchObject(SOLVED)
})

it('has the element for pages in a script of 3 kB at most', () => {
  expect(statSync(at('node_modules/arenascope/element.js')).size).toBeLessThanOrEqual(3000)
})

it('is a module with types: a core in this thread, a client in a worker, importers', () => {
  writeFileSync(
    at('use.ts'),
    `import { readFileSync } from 'node:fs'
import { type Client, createClient, load, type Problem, type RunConfig } from 'arenascope'
import { writeGraphCsv } from 'arenascope/import'
import { fromBytes, importModel, load as loadModels, NO_ANSWERS, type RunStats } from 'arenascope-models'

const config: RunConfig = { solver: 'exact', goal: 'fit', capacity: 12, seed: 0, budget: 0, options: {} }
const core = await load()
const opened = core.open(readFileSync('five.csv', 'utf8'))
if (!opened.ok) throw new Error('refused')
const problem: Problem = opened.problem
core.start(config)
while (core.step(1000) === 'running');
const { digest }: RunStats = core.stats()
const client: Client = createClient()
await client.open(readFileSync('five.csv', 'utf8'))
const run = await client.run(config, () => undefined)
client.dispose()
const model = importModel(fromBytes(readFileSync('small.tflite')), 'small.tflite', NO_ANSWERS)
if (!model.ok || !('graph' in model)) throw new Error('not read')
const whole = await loadModels()
const graph = whole.openGraph(writeGraphCsv(model.graph), {})
whole.start({ ...config, solver: 'list-schedule', capacity: 1 << 20 })
while (whole.step(1000) === 'running');
console.log(JSON.stringify([problem.count, core.manifest.solvers.length > 15 && whole.manifest.solvers.length > 20, run.stats.digest === digest, graph.ok && whole.stats().height > 0]))
`,
  )
  const tsc = (resolution: string, module: string) =>
    run(
      join(ROOT, 'node_modules/.bin/tsc'),
      ...['--strict', '--target', 'es2022', '--module', module, '--moduleResolution', resolution].concat(
        '--lib',
        'es2023,dom',
        '--types',
        'node',
        '--typeRoots',
        join(ROOT, 'node_modules/@types'),
        'use.ts',
      ),
    )
  expect(tsc('bundler', 'esnext')).toMatchObject({ status: 0, stdout: '' })
  expect(tsc('nodenext', 'nodenext')).toMatchObject({ status: 0, stdout: '' })
  const used = run(process.execPath, 'use.js')
  expect(used).toMatchObject({ stdout: '[5,true,true,true]\n', stderr: '' })
})

it('has types for programs without those of the DOM', () => {
  writeFileSync(
    at('bare.ts'),
    `import { type Client, createClient, load, type Text } from 'arenascope'
import { load as loadModels } from 'arenascope-models'
export const core = await load()
core.start({ solver: 'exact', capacity: 12, seed: 0, budget: 0, options: { lazy: false } })
export const client: Client = createClient()
export const text: Text = await client.exportCsv(null)
export const length: number = text.length
export const whole: boolean = (await loadModels(new Uint8Array(8))).step(1) === 'optimal'
`,
  )
  for (const module of ['nodenext', 'preserve']) {
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [], module }
    writeFileSync(at('bare.json'), JSON.stringify({ compilerOptions, files: ['bare.ts'] }))
    expect(run(join(ROOT, 'node_modules/.bin/tsc'), '-p', 'bare.json')).toMatchObject({ status: 0, stdout: '' })
  }
})
