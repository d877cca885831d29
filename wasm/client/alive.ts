/** A page is not told that a worker has ended, but whoever waits for a lock that the worker held is. */
import type { Alive } from './protocol'

/** Called once in a worker: whoever waits for the lock is told when it is no more. Only pages of secure origins have locks. */
export function sayAlive(): void {
  const scope = self as unknown as { postMessage(told: Alive): void }
  const { locks } = navigator
  const lock = locks && `arenascope worker ${crypto.randomUUID()}`
  void locks?.request(lock, () => {
    scope.postMessage({ type: 'alive', lock })
    return new Promise(() => undefined)
  })
}

/** Before the worker has any other listener: none of them hears of the lock. */
export function whenGone(worker: Worker, gone: () => void): void {
  worker.addEventListener('message', (event: MessageEvent<Partial<Alive> | null>) => {
    const { type, lock = '' } = event.data ?? {}
    if (type !== 'alive') return
    event.stopImmediatePropagation()
    // a page that is going away waits no more
    navigator.locks.request(lock, gone).catch(() => undefined)
  })
}

/** Calls the onerror of a worker that ends without an answer, so that whoever waits for the answer is told. */
export function errorWhenGone(worker: Worker): Worker {
  whenGone(worker, () => worker.onerror?.({ message: 'its worker ended without a word.' } as ErrorEvent))
  return worker
}
