import { whenGone } from './alive'
import type { WorkerLike } from './host'

/** The client's worker. */
export function watched(worker: Worker): WorkerLike {
  const made = Object.assign(worker, { onclose: null as WorkerLike['onclose'] })
  whenGone(worker, () => made.onclose?.())
  return made
}
