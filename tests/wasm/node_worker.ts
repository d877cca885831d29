import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Core } from '../../wasm/client/core'
import { type Exports, loadExports } from '../../wasm/client/module'
import { serveNode } from '../../wasm/client/node'
import { LEAN } from '../../wasm/client/visit'

/** What a test asks of its worker. */
export interface WorkerSetup {
  /** folder of what was built */
  built: string
  /** times that a module but the lean one cannot be had */
  missing?: number
  /** the export that traps, as an instruction out of range would, and the call on which it does; '' for none */
  trap: keyof Exports | ''
  trapAfter: number
  /** instead: the worker ends there without a word, or never comes back from the call */
  instead?: 'ends' | 'hangs'
}

function fail(setup: WorkerSetup): never {
  if (setup.instead === 'ends') process.exit()
  while (setup.instead === 'hangs');
  throw new WebAssembly.RuntimeError('unreachable')
}

/** The same exports but one, which traps from the given call on. */
function trapping(exports: Exports, setup: WorkerSetup): Exports {
  if (setup.trap === '') return exports
  let calls = 0
  const name = setup.trap
  const original = exports[name] as (...args: number[]) => number
  const replaced = (...args: number[]) => {
    if (++calls > setup.trapAfter) fail(setup)
    return original(...args)
  }
  return { ...exports, [name]: replaced }
}

const port = parentPort
if (!port) throw new Error('this file is the body of a worker')
const setup = workerData as WorkerSetup
let missing = setup.missing ?? 0

const text = (name: string) => readFileSync(join(setup.built, name), 'utf8')

async function load(module: string): Promise<Core> {
  if (module !== LEAN && missing-- > 0) throw new TypeError('Failed to fetch')
  const exports = await loadExports(readFileSync(join(setup.built, `${module}.wasm`)))
  return new Core(trapping(exports, setup), undefined, undefined, text('manifest.json'))
}

serveNode(port, { load, families: JSON.parse(text('families.json')) })
