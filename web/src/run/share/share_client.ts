/**
 * Links, and shared files whose problem is too long to be handled as a string, are read and written in a worker of their own, which ends with it:
 * one that is long, or made to unpack to very much, holds up no frame.
 */
import { errorWhenGone } from '../../../../wasm/client/alive'
import type { DecodeResult } from '../../state/share/codec'
import type { LongFile, ShareQuestion } from './share_worker'

const makeWorker = () =>
  errorWhenGone(new Worker(new URL('./share_worker.ts', import.meta.url), { type: 'module', name: 'arenascope-share' }))

/** An error says what did not work. A worker whose script cannot be fetched has no word of its own for that. */
function ask<A>(question: ShareQuestion, failed: string, make: () => Worker): Promise<A> {
  const worker = make()
  const answer = new Promise<A>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<A>) => resolve(data)
    worker.onerror = () => reject(new Error(failed))
    worker.postMessage(question)
  })
  return answer.finally(() => {
    worker.onerror = null
    worker.terminate()
  })
}

const NO_FILE = 'The file could not be handled: it may be larger than there is memory.'
const NO_LINK =
  'What reads links could not be fetched, or ended without a word. Check the connection and reload the page; the link stays in the address.'

/** null: it is cut short or no such file. */
export const readLong = (file: Blob, make = makeWorker): Promise<LongFile | null> => ask(file, NO_FILE, make)

export const writeLong = (file: LongFile, make = makeWorker): Promise<Blob> => ask(file, NO_FILE, make)

/** What stands behind an address's "#". */
export const readLink = (fragment: string, make = makeWorker): Promise<DecodeResult> => ask(fragment, NO_LINK, make)
