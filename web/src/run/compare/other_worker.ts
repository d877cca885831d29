/** A solver of others beside the page: its call blocks until it ends. */
import { sayAlive } from '../../../../wasm/client/alive'
import { type OtherTask, solveOther } from './other_solve'

sayAlive()
self.onmessage = async ({ data }: MessageEvent<OtherTask>) => {
  // a rejection of a worker's own is not told to the page
  try {
    self.postMessage({ kind: 'ended', end: await solveOther(data) })
  } catch (error) {
    self.postMessage({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
  }
}
