import { sayAlive } from './alive'
import { channelDefer, receiver } from './driver/driver'
import type { WarmUp } from './driver/warm'
import type { Reply, Request } from './protocol'
import type { Modules } from './visit'

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void
}

/** What a worker of a browser does: answers the client, and lets it know when it has ended. */
export function serve(modules: Modules, warmUp?: Promise<WarmUp | null>): void {
  const scope = self as unknown as Scope
  const port = { post: (reply: Reply, transfer: ArrayBuffer[]) => scope.postMessage(reply, transfer) }
  const receive = receiver(port, modules, performance, channelDefer(), warmUp)
  scope.onmessage = (event) => receive(event.data)
  sayAlive()
}
