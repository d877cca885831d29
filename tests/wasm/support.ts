import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'
import { createClient } from '../../wasm/client/client'
import { Core } from '../../wasm/client/core'
import { type Exports, loadExports } from '../../wasm/client/module'
import { adapted } from '../../wasm/client/node'
import type { Client, Goal, Manifest, Problem, RunConfig } from '../../wasm/client/types'
import type { WorkerSetup } from './node_worker'

export { ROOT }
/** Where build.sh puts what it builds. */
export const BUILD = resolve(ROOT, process.env.ARENASCOPE_BUILD ?? 'build')
const BUILT = join(BUILD, 'wasm')
export const NATIVE = join(BUILD, 'native/arenascope')

/** The MiniMalloc paper's example: five buffers, all of size 4, that fit into 12. */
export const FIVE = `id,lower,upper,size
b1,0,3,4
b2,3,9,4
b3,0,9,4
b4,9,21,4
b5,0,21,4
`

/** Among the options the goal, as the command has it. */
export function config(solver: string, capacity: number, settings: Record<string, string> = {}): RunConfig {
  const { goal = 'fit', ...options } = settings
  return { solver, goal: goal as Goal, capacity, seed: 0, budget: 0, options }
}

/** Options of minimalloc that turn off every rule but the canonical order: searches get long. */
export function rulesOff(manifest: Manifest): Record<string, string> {
  const options = manifest.solvers.find((solver) => solver.id === 'minimalloc')?.options ?? []
  const off = options.filter((option) => option.type === 'bool' && option.name !== 'canonical_only')
  return Object.fromEntries(off.map((option) => [option.name, 'false']))
}

export type ModuleName = 'core' | 'buffers' | 'lean' | 'exact' | 'telamalloc' | 'large' | 'planners' | 'baselines'

export function moduleBytes(name: ModuleName) {
  return readFileSync(join(BUILT, `${name}.wasm`))
}

/** The manifest that the build wrote, whole or as the page's workers have it. */
export function builtManifest(name: 'manifest' | 'first' = 'manifest'): string {
  return readFileSync(join(BUILT, `${name}.json`), 'utf8')
}

export function exports(name: ModuleName = 'core'): Promise<Exports> {
  return loadExports(moduleBytes(name))
}

export async function makeCore(keyframeBytes?: number): Promise<Core> {
  return new Core(await exports(), performance, keyframeBytes)
}

let bundled: Promise<string> | undefined

function workerScript(): Promise<string> {
  bundled ??= (async () => {
    const output = join(mkdtempSync(join(tmpdir(), 'arenascope-')), 'node_worker.mjs')
    await bundle(join(ROOT, 'tests/wasm/node_worker.ts'), output)
    return output
  })()
  return bundled
}

const NO_TRAP = { trap: '', trapAfter: 0 } as const

/** A core of one of the modules that take the manifest from the build. */
export async function makeCoreOf(name: ModuleName): Promise<Core> {
  return new Core(await exports(name), performance, undefined, builtManifest())
}

/** Which solvers each module has, as the build wrote it. */
export function builtFamilies(): Record<string, string[]> {
  return JSON.parse(readFileSync(join(BUILT, 'families.json'), 'utf8')) as Record<string, string[]>
}

/** A client over real workers; setups are those of its first, second, … worker, the last for all that follow. */
export async function nodeClient(
  ...setups: Omit<WorkerSetup, 'built'>[]
): Promise<{ client: Client; workers: () => number }> {
  const script = await workerScript()
  let made = 0
  const client = createClient(() => {
    const setup = setups[Math.min(made, setups.length - 1)] ?? NO_TRAP
    made++
    return adapted(new Worker(script, { workerData: { built: BUILT, ...setup } }))
  })
  return { client, workers: () => made }
}

/** Whole numbers from 0 to n - 1, the same for the same seed (a linear congruential generator modulo 2^32). */
export function random(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** Eight buffers over ten units of time, of sizes 1 to 9, some aligned: nearly half of them need more than their greatest load. */
export function tiny(seed: number): string {
  const pick = random(seed)
  const rows = Array.from({ length: 8 }, (_, k) => {
    const lower = pick(9)
    return `b${k},${lower},${lower + 1 + pick(10 - lower)},${1 + pick(9)},${2 ** pick(3)}`
  })
  return `id,lower,upper,size,alignment\n${rows.join('\n')}\n`
}

/** Some of a problem's buffers as a problem of their own. Not for problems with gaps. */
export function part(problem: Problem, buffers: number[]): string {
  const { ids, lower, upper, size, alignment } = problem
  const rows = buffers.map((b) => [ids.at(b), lower[b], upper[b], size[b], alignment[b]].join(','))
  return `id,lower,upper,size,alignment\n${rows.join('\n')}\n`
}
