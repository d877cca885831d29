import { errorWhenGone } from '../../../wasm/client/alive'
import type { Handed, ImportAnswers, Progress } from './imported'
import type { ImportReply, ImportRequest } from './import_worker'

/** As much of a Worker as is used here. */
export interface ImportWorker {
  onmessage: ((event: MessageEvent<ImportReply>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  onmessageerror: ((event: MessageEvent) => void) | null
  postMessage(request: ImportRequest): void
  terminate(): void
}

function pageWorker(): ImportWorker {
  return errorWhenGone(
    new Worker(new URL('./import_worker.ts', import.meta.url), { type: 'module', name: 'arenascope-import' }),
  )
}

function refused(name: string, why: string): Handed {
  return { ok: false, message: `${name}: ${why}`, questions: [] }
}

/**
 * Reads a file, or a pasted text, in a worker of its own, which ends with it: a file that is large or made to be difficult neither holds
 * up the page nor leaves anything behind. What goes wrong is in the answer's message; only cancelling rejects, with the signal's reason.
 * progress is told parts of 1, never less than before.
 */
export function importFile(
  file: File | string,
  answers: ImportAnswers,
  progress: Progress,
  signal: AbortSignal,
  makeWorker: () => ImportWorker = pageWorker,
): Promise<Handed> {
  const name = typeof file === 'string' ? 'pasted text' : file.name
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const worker = makeWorker()
    const end = () => {
      worker.terminate()
      signal.removeEventListener('abort', cancel)
    }
    const cancel = () => {
      end()
      reject(signal.reason)
    }
    const answer = (imported: Handed) => {
      end()
      resolve(imported)
    }
    signal.addEventListener('abort', cancel)
    worker.onmessage = ({ data }) => {
      if (data.type === 'progress') progress(data.done)
      else answer(data.imported)
    }
    // running out of memory ends a worker so, and so does a file that vanishes while it is read
    worker.onerror = (event) => answer(refused(name, `reading it failed${event.message ? `: ${event.message}` : '.'}`))
    worker.onmessageerror = () => answer(refused(name, 'what was read could not be handed over.'))
    worker.postMessage({ file, name, answers })
  })
}
