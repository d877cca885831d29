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
import { fetchModule, instantiate } from './module'
import { serve } from './serve'
import { HOME, LEAN } from './visit'

const URLS: Record<string, string> = {
  [LEAN]: leanUrl,
  exact: exactUrl,
  telamalloc: telamallocUrl,
  large: largeUrl,
  planners: plannersUrl,
  baselines: baselinesUrl,
  core: coreUrl,
}

const DRAWN_MS = 600

let home: WebAssembly.Module | null = null

const coreOf = async (compiled: WebAssembly.Module, keyframeBytes?: number) =>
  new Core(await instantiate(compiled), undefined, keyframeBytes, first)

async function load(module: string): Promise<Core> {
  const compiled = await fetchModule(new URL(URLS[module] ?? '', import.meta.url))
  if (module === HOME) home = compiled
  return coreOf(compiled)
}

/** Fetched when the first drawing is over. Without it first searches take longer, and nothing else. */
async function warmUp() {
  await new Promise((resolve) => setTimeout(resolve, DRAWN_MS))
  const fetched = await import('./driver/warm').catch(() => null)
  return fetched && new fetched.WarmUp(async () => home && coreOf(home, 0), performance)
}

serve({ load, families: JSON.parse(families) }, warmUp())
