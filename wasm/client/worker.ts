import wasmUrl from '../../build/wasm/core.wasm?url'
import { Core } from './core'
import { channelDefer, Driver } from './driver'
import { loadExports } from './module'
import type { Reply, Request } from './protocol'

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void
}

async function load(): Promise<Core> {
  const response = await fetch(new URL(wasmUrl, import.meta.url))
  return new Core(await loadExports(response))
}

const scope = self as unknown as Scope
const driver = new Driver(
  { post: (reply, transfer) => scope.postMessage(reply, transfer) },
  load(),
  performance,
  channelDefer(),
)
scope.onmessage = (event) => driver.handle(event.data)
