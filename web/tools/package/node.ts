/** The npm package in Node. */
import { Worker } from 'node:worker_threads'
import { createClient as clientOf } from '../../../wasm/client/client'
import type { WorkerLike } from '../../../wasm/client/host'
import { adapted } from '../../../wasm/client/node'
import type { Client } from '../../../wasm/client/types'

export * from './library'
export { load } from './load'

const nodeWorker = () => adapted(new Worker(new URL('./node_worker.js', import.meta.url)))

/** A core in a thread of its own, which starts with the first request. */
export function createClient(makeWorker: () => WorkerLike = nodeWorker): Client {
  return clientOf(makeWorker)
}
