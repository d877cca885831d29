/** Lays a graph out in a worker of its own. */
import { errorWhenGone } from '../../../../wasm/client/alive'
import type { Layered, LayeredInput } from './layered'

const makeWorker = () =>
  errorWhenGone(new Worker(new URL('./layered_worker.ts', import.meta.url), { type: 'module', name: 'layout' }))

/** Tells the layout, or that there is none; neither once what it answers has been called, which ends the worker. */
export function layOut(
  input: LayeredInput,
  done: (layout: Layered) => void,
  failed: () => void,
  make = makeWorker,
): () => void {
  const worker = make()
  const end = () => {
    // that it is no more would be told as an error
    worker.onerror = null
    worker.terminate()
  }
  worker.onmessage = ({ data }: MessageEvent<Layered>) => {
    end()
    done(data)
  }
  worker.onerror = failed
  worker.postMessage(input)
  return end
}
