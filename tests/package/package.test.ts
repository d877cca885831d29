/** The npm package as its users have it: packed, installed in an empty folder, in Node; types by both resolutions. */
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

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', `--pack-destination=${folder}`], { cwd: join(BUILD, 'npm') })
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }]
  writeFileSync(at('package.json'), '{ "private": true, "type": "module" }')
  execFileSync('npm', ['install', ...quiet, at(filename)], { cwd: folder })
  writeFileSync(at('five.csv'), FIVE)
  writeFileSync(at('small.tflite'), writeTflite(small))
  writeFileSync(at('small.pte'), writePte([relu]))
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
// npx looks for it there, and takes seconds to do so
const installed = (...args: string[]) => run(at('node_modules/.bin/arenascope'), ...args)

it('solves a CSV, a TFLite and a program of ExecuTorch in a terminal, and converts', () => {
  expect(run('npx', '--no-install', 'arenascope', 'solve', 'five.csv')).toMatchObject({
    status: 0,
    stdout: 'five: 5 buffers, 12 bytes, lower bound 12 (optimal)\n',
  })
  expect(installed('solve', '--capacity=11', 'five.csv').status).toBe(1)
  expect(installed('solve', 'small.tflite').stdout).toMatch(/^small: \d+ buffers, /)
  expect(installed('convert', 'small.pte')).toMatchObject({ status: 0, stdout: expect.stringContaining(',64') })
})

it('has the element for pages in a script of 3 kB at most', () => {
  expect(statSync(at('node_modules/arenascope/element.js')).size).toBeLessThanOrEqual(3000)
})

it('is a module with types: a core in this thread, a client in a worker, importers', () => {
  writeFileSync(
    at('use.ts'),
    `import { readFileSync } from 'node:fs'
import { type Client, createClient, load, type Problem, type RunConfig } from 'arenascope'
import { fromBytes, importModel, NO_ANSWERS, writeGraphCsv } from 'arenascope/import'

const config: RunConfig = { solver: 'exact', goal: 'fit', capacity: 12, seed: 0, budget: 0, options: {} }
const core = await load()
const opened = core.open(readFileSync('five.csv', 'utf8'))
if (!opened.ok) throw new Error('refused')
const problem: Problem = opened.problem
core.start(config)
while (core.step(1000) === 'running');
const { digest } = core.stats()
const client: Client = createClient()
await client.open(readFileSync('five.csv', 'utf8'))
const run = await client.run(config, () => undefined)
client.dispose()
const model = importModel(fromBytes(readFileSync('small.tflite')), 'small.tflite', NO_ANSWERS)
if (!model.ok || !('graph' in model)) throw new Error('not read')
const graph = core.openGraph(writeGraphCsv(model.graph), {})
console.log(JSON.stringify([problem.count, core.manifest.solvers.length > 20, run.stats.digest === digest, graph.ok]))
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
