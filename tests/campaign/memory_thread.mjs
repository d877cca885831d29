// The command without memory, in a thread: it starts one command after the other and waits for each, while the rest of the queue goes on.
import { workerData } from 'node:worker_threads'
import { memory } from './memory.mjs'

const { seconds, command, env } = workerData
const [{ faults }] = memory(seconds, { command, env })
process.exitCode = faults ? 1 : 0
