import { channelDefer, receiver } from './driver/driver'
import type { Alive, Reply, Request } from './protocol'
import type { Modules } from './visit'

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(reply: Reply | Alive, transfer: ArrayBuffer[]): void
}

/** What a worker of a browser does: answers the client, and lets it know when it has ended. */
export function serve(modules: Modules): void {
  const scope = self as unknown as Scope
  const port = { post: (reply: Reply, transfer: ArrayBuffer[]) => scope.postMessage(reply, transfer) }
  const receive = receiver(port, modules, performance, channelDefer())
  scope.onmessage = (event) => receive(event.data)

  // whoever waits for the lock is told when this worker is no more; only pages of secure origins have locks
  const lock = navigator.locks && `arenascope worker ${crypto.randomUUID()}`
  void navigator.locks?.request(lock, () => {
    scope.postMessage({ type: 'alive', lock }, [])
    return new Promise(() => undefined)
  })
}
