import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Core } from '../../wasm/client/core'
import { Driver } from '../../wasm/client/driver'
import { type Exports, loadExports } from '../../wasm/client/module'
import type { Request } from '../../wasm/client/protocol'

/** What a test asks of its worker. */
export interface WorkerSetup {
  wasm: string
  /** the export that traps, as an instruction out of range would, and the call on which it does; '' for none */
  trap: keyof Exports | ''
  trapAfter: number
}

/** The same exports but one, which traps from the given call on. */
function trapping(exports: Exports, setup: WorkerSetup): Exports {
  if (setup.trap === '') return exports
  let calls = 0
  const name = setup.trap
  const original = exports[name] as (...args: number[]) => number
  const replaced = (...args: number[]) => {
    if (++calls > setup.trapAfter) throw new WebAssembly.RuntimeError('unreachable')
    return original(...args)
  }
  return { ...exports, [name]: replaced }
}

const port = parentPort
if (!port) throw new Error('this file is the body of a worker')
const setup = workerData as WorkerSetup
const core = loadExports(readFileSync(setup.wasm)).then((exports) => new Core(trapping(exports, setup)))
const driver = new Driver(
  { post: (reply, transfer) => port.postMessage(reply, transfer) },
  core,
  performance,
  // a channel would not do: here a port hands out up to a thousand of its messages before another has its turn
  (task) => setImmediate(task),
)
port.on('message', (request: Request) => driver.handle(request))
