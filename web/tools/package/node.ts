/** The npm package in Node. */
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { createClient as clientOf } from '../../../wasm/client/client'
import type { WorkerLike } from '../../../wasm/client/protocol'
import { Core } from '../../../wasm/client/core'
import { loadExports, type Source } from '../../../wasm/client/module'
import { adapted } from '../../../wasm/client/node'
import type { Client } from '../../../wasm/client/types'

export * from './library'

/** One core: a problem, a run and an explanation, synchronously. source: the module; without it, core.wasm of the package. */
export async function load(source?: Source): Promise<Core> {
  return new Core(await loadExports(source ?? new Uint8Array(await readFile(new URL('./core.wasm', import.meta.url)))))
}

const nodeWorker = () => adapted(new Worker(new URL('./node_worker.js', import.meta.url)))

/** A core in a thread of its own, which starts with the first request. */
export function createClient(makeWorker: () => WorkerLike = nodeWorker): Client {
  return clientOf(makeWorker)
}
