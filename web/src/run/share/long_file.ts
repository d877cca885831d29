/** Shared files whose problem is too long to be handled as a string, read and written in a worker of their own, which ends with it. */
import { mortal } from '../../../../wasm/client/alive'
import type { LongFile } from './long_file_worker'

function ask<A>(question: LongFile | Blob): Promise<A> {
  const worker = mortal(
    new Worker(new URL('./long_file_worker.ts', import.meta.url), {
      type: 'module',
      name: 'arenascope-file',
    }),
  )
  const answer = new Promise<A>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<A>) => resolve(data)
    worker.onerror = () => reject(new Error('The file could not be handled: it may be larger than there is memory.'))
    worker.postMessage(question)
  })
  return answer.finally(() => worker.terminate())
}

/** null: it is cut short or no such file. */
export const readLong = (file: Blob): Promise<LongFile | null> => ask(file)

export const writeLong = (file: LongFile): Promise<Blob> => ask(file)
