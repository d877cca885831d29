import type { WorkerLike } from './protocol'
import type { Alive, Reply } from './protocol'

/** A page is not told that a worker has ended, but whoever waits for the lock that it held is. */
export function watched(worker: Worker): WorkerLike {
  const made = Object.assign(worker, { onclose: null as WorkerLike['onclose'] })
  worker.addEventListener('message', ({ data }: MessageEvent<Reply | Alive>) => {
    // a page that is going away waits no more
    if (data.type === 'alive') navigator.locks.request(data.lock, () => made.onclose?.()).catch(() => undefined)
  })
  return made
}
