import { whenGone } from './alive'
import type { WorkerLike } from './protocol'

/** The client's worker. */
export function watched(worker: Worker): WorkerLike {
  const made = Object.assign(worker, { onclose: null as WorkerLike['onclose'] })
  whenGone(worker, () => made.onclose?.())
  return made
}
