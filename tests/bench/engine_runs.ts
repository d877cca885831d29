/** Runs in one engine, asked by messages: in a worker of a browser, or in a process of Node. */
import { Core } from '../../wasm/client/core'
import { loadExports } from '../../wasm/client/module'
import type { Goal } from '../../wasm/client/types'

export interface Asked {
  csv: string
  capacity: number
  solver: string
  goal: Goal
  runs: number
}

export interface Told {
  /** of the clock: least of these runs, from making a run to its end */
  ms: number
  digest: string
}

/** About what a slice of the page's worker holds. */
const SLICE = 200_000

let core: Core | undefined

async function load(wasm: string): Promise<true> {
  core = new Core(await loadExports(Uint8Array.from(atob(wasm), (byte) => byte.charCodeAt(0))))
  return true
}

function batch({ csv, capacity, solver, goal, runs }: Asked): Told {
  if (core === undefined) throw new Error('there is no module')
  core.open(csv)
  let ms = Number.POSITIVE_INFINITY
  for (let k = 0; k < runs; k++) {
    const from = performance.now()
    core.start({ solver, goal, capacity, seed: 0, budget: 0, options: {} })
    while (core.step(SLICE) === 'running');
    ms = Math.min(ms, performance.now() - from)
  }
  return { ms, digest: core.stats().digest }
}

/** The module in base 64, which crosses every kind of channel, or what is to be run. What goes wrong is told as a text. */
async function answer(asked: string | Asked): Promise<true | Told | string> {
  try {
    return await (typeof asked === 'string' ? load(asked) : batch(asked))
  } catch (error) {
    return String(error)
  }
}

interface Parent {
  send?(told: unknown): void
  on(kind: 'message', hear: (asked: string | Asked) => void): void
}
const parent = (globalThis as { process?: Parent }).process
if (parent?.send) parent.on('message', async (asked) => parent.send?.(await answer(asked)))
else globalThis.onmessage = async ({ data }: MessageEvent<string | Asked>) => globalThis.postMessage(await answer(data))
