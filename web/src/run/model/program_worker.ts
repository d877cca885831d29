/** HiGHS beside the page: its call blocks until it ends. */
import { sayAlive } from '../../../../wasm/client/alive'
import load from 'highs'
import { type ProgramTask, solveProgram } from './program_solve'

sayAlive()
self.onmessage = async ({ data }: MessageEvent<ProgramTask>) => {
  // a rejection of a worker's own is not told to the page
  const tell = (news: unknown) => self.postMessage(news)
  try {
    solveProgram(await load(), data, tell)
  } catch (error) {
    tell({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
  }
}
