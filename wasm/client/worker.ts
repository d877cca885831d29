import baselinesUrl from '../../build/wasm/baselines.wasm?url'
import coreUrl from '../../build/wasm/core.wasm?url'
import exactUrl from '../../build/wasm/exact.wasm?url'
import families from '../../build/wasm/families.json?raw'
import first from '../../build/wasm/first.json?raw'
import largeUrl from '../../build/wasm/large.wasm?url'
import leanUrl from '../../build/wasm/lean.wasm?url'
import plannersUrl from '../../build/wasm/planners.wasm?url'
import telamallocUrl from '../../build/wasm/telamalloc.wasm?url'
import { Core } from './core'
import { channelDefer, receiver } from './driver'
import { loadExports, notFetched } from './module'
import type { Alive, Reply, Request } from './protocol'
import { LEAN } from './visit'

const URLS: Record<string, string> = {
  [LEAN]: leanUrl,
  exact: exactUrl,
  telamalloc: telamallocUrl,
  large: largeUrl,
  planners: plannersUrl,
  baselines: baselinesUrl,
  core: coreUrl,
}

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(reply: Reply | Alive, transfer: ArrayBuffer[]): void
}

async function load(module: string): Promise<Core> {
  const url = new URL(URLS[module] ?? '', import.meta.url)
  const answer = await fetch(url).catch((error: Error) => notFetched(error.message))
  if (answer instanceof Error) throw answer
  return new Core(await loadExports(answer), undefined, undefined, first)
}

const scope = self as unknown as Scope
const port = { post: (reply: Reply, transfer: ArrayBuffer[]) => scope.postMessage(reply, transfer) }
const receive = receiver(port, { load, families: JSON.parse(families) }, performance, channelDefer())
scope.onmessage = (event) => receive(event.data)

// whoever waits for the lock is told when this worker is no more; only pages of secure origins have locks
const lock = navigator.locks && `arenascope worker ${crypto.randomUUID()}`
void navigator.locks?.request(lock, () => {
  scope.postMessage({ type: 'alive', lock }, [])
  return new Promise(() => undefined)
})
