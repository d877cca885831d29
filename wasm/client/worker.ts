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
import { loadExports, notFetched } from './module'
import { serve } from './serve'
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

async function load(module: string): Promise<Core> {
  const url = new URL(URLS[module] ?? '', import.meta.url)
  const answer = await fetch(url).catch((error: Error) => notFetched(error.message))
  if (answer instanceof Error) throw answer
  return new Core(await loadExports(answer), undefined, undefined, first)
}

serve({ load, families: JSON.parse(families) })
