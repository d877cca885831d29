/** A solver of others beside the page: its call blocks until it ends. */
import { type OtherTask, solveOther } from './other_solve'

self.onmessage = async ({ data }: MessageEvent<OtherTask>) => {
  // a rejection of a worker's own is not told to the page
  try {
    self.postMessage({ kind: 'ended', end: await solveOther(data) })
  } catch (error) {
    self.postMessage({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
  }
}
