#!/usr/bin/env node
// Searches in the module beside native ones, in several engines: how far from native whoever opens the page is, once the engine has compiled well.
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'
import { listOf, NATIVE, start, understood, WASM } from '../../wasm/bench/command.mjs'
import { challenging } from '../../wasm/bench/exact_parts.mjs'
import { nativeRows } from '../../wasm/bench/native.mjs'
import { geometricMean, printTable } from '../../wasm/bench/table.mjs'

const PARTS = {
  satisfy: { text: 'exact, of a plan within the capacity', letters: 'ABCDEFGHIJK', solver: 'exact', goal: 'fit' },
  minimise: { text: 'exact, of the least height', letters: 'ABCDEFGHIK', solver: 'exact', goal: 'height' },
  minimalloc: {
    text: 'MiniMalloc, of those that it solves in less than a second',
    letters: 'CGIJK',
    solver: 'minimalloc',
    goal: 'fit',
  },
}
const USAGE = `usage: engines.mjs [--part=NAME]... [--engine=NAME]... [--seconds=N] [--runs=N] [--letters=ABC] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

Engines: chromium, firefox, or a program of Node; without any this Node and chromium. In each round native and every engine run each of MiniMalloc's
instances so many times (8) in turns; a figure is the least of all rounds of so many seconds (120), by the clock, so that other
work of the machine disturbs little. ARENASCOPE_BENCH names the folder of the suites.
`
/** After which an engine has compiled well what is hot in an instance. */
const WARMING_MS = 800

function options() {
  const { values } = understood(
    {
      options: {
        part: { type: 'string', multiple: true, default: Object.keys(PARTS) },
        engine: { type: 'string', multiple: true, default: [process.execPath, 'chromium'] },
        seconds: { type: 'string', default: '120' },
        runs: { type: 'string', default: '8' },
        letters: { type: 'string', default: 'ABCDEFGHIJK' },
        native: { type: 'string', default: NATIVE.initial },
        wasm: { type: 'string', default: WASM.initial },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  )
  return { ...values, seconds: Number(values.seconds), runs: Number(values.runs) }
}

function casesOf({ part, letters, suites }) {
  return part.flatMap((name) =>
    challenging(suites, [...PARTS[name].letters].filter((letter) => letters.includes(letter)).join('')).map((path) => {
      const [, letter, capacity] = /^([A-K])\.(\d+)\.csv$/.exec(basename(path))
      const { solver, goal } = PARTS[name]
      return {
        name: `${name} ${letter}`,
        path,
        csv: readFileSync(path, 'utf8'),
        capacity: Number(capacity),
        solver,
        goal,
      }
    }),
  )
}

/** Native first: [least milliseconds, digest] by case and engine. */
async function rounds(cases, engines, { native, seconds, runs }) {
  const nativeRun = ({ path, solver, goal }) => {
    const [{ ms, digest }] = nativeRows(native, [path, `--solver=${solver}`, `--goal=${goal}`, `--repeat=${runs}`])
    return { ms, digest }
  }
  const all = [
    nativeRun,
    ...engines.map(
      (engine) =>
        ({ path: _, name: __, ...asked }) =>
          engine.run({ ...asked, runs }),
    ),
  ]
  const least = cases.map(() => all.map(() => ({ ms: Number.POSITIVE_INFINITY, digest: '' })))
  for (const made of cases)
    for (const run of all.slice(1)) for (const from = Date.now(); Date.now() - from < WARMING_MS; ) await run(made)
  for (const from = Date.now(); Date.now() - from < 1000 * seconds; )
    for (const [k, made] of cases.entries())
      for (const [j, run] of all.entries()) {
        const told = await run(made)
        if (typeof told === 'string') throw new Error(`${made.name}: ${told}`)
        const { ms, digest } = told
        least[k][j] = { ms: Math.min(ms, least[k][j].ms), digest }
        if (digest !== least[k][0].digest) throw new Error(`${made.name}: ${engines[j - 1].name} searches otherwise`)
      }
  return least
}

async function main() {
  const values = { ...options(), suites: process.env.ARENASCOPE_BENCH }
  const counts = [values.seconds, values.runs].every((n) => Number.isInteger(n) && n >= 1)
  if (values.help || !counts || !values.suites || !values.part.every((name) => name in PARTS)) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const folder = join(ROOT, 'build/bench/engines')
  const [script, worker] = ['engines.mjs', 'engine_runs.js'].map((name) => join(folder, name))
  await bundle(join(ROOT, 'tests/bench/engine_runs.ts'), worker)
  await bundle(join(ROOT, 'tests/bench/engines.ts'), script, ['playwright-core', 'vitest'])
  // what starts Firefox lies beside what asks for it
  copyFileSync(join(ROOT, 'tests/e2e/support/firefox.mjs'), join(folder, 'firefox.mjs'))
  const { engine } = await import(pathToFileURL(script).href)
  const wasm = readFileSync(values.wasm).toString('base64')
  const engines = []
  try {
    for (const which of values.engine) engines.push(await engine(which, worker, wasm))
    const cases = casesOf(values)
    const rows = (await rounds(cases, engines, values)).map((least, k) => ({ name: cases[k].name, least }))
    const times =
      (at) =>
      ({ least }) =>
        `${least[at].ms.toFixed(2)} ${(least[at].ms / least[0].ms).toFixed(2)}`
    printTable(
      [
        ['', 14, ({ name }) => name],
        ['native ms', -9, ({ least }) => least[0].ms.toFixed(2)],
        ...engines.map(({ name }, at) => [name, -26, times(at + 1)]),
      ],
      rows,
    )
    const ratiosOf = (part, at) =>
      rows.filter(({ name }) => name.startsWith(`${part} `)).map(({ least }) => least[at].ms / least[0].ms)
    for (const [at, { name }] of engines.entries()) {
      const means = values.part.flatMap((part) => {
        const ratios = ratiosOf(part, at + 1)
        return ratios.length > 0 ? `${part} ${geometricMean(ratios).toFixed(2)}` : []
      })
      console.log(`${name}, geometric means: ${means.join(', ')}`)
    }
    return 0
  } finally {
    for (const one of engines) await one.stop()
  }
}

start(main)
