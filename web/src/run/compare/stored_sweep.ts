/** A folder that arenascope.sweep of Python wrote, as the matrix: its Parquet files, and the problems beside them, so that a cell opens in the page. */
import { errorWhenGone } from '../../../../wasm/client/alive'
import { Cell } from '../../base/cell'
import { PartError } from '../../base/later'
import { MATRIX } from '../../state/compare/compare'
import { type MatrixRow, matrix, takeMatrix } from './matrix'
import type { Stored, Swept } from './stored_rows'
import type { SweptReply } from './stored_worker'

/** Of the sweep that is shown: problems by their digests, and settings by row and solver. */
let problems = new Map<string, File>()
let settings: Swept['settings'] = new Map()

export const problemOf = (digest: string): File | undefined => problems.get(digest)
export const settingsOf = (row: MatrixRow, solver: string): Stored | undefined =>
  settings.get(`${row.instance.id} ${solver}`)

/** Files of a sweep that is being read. */
export const reading = new Cell<{ done: number; of: number } | null>(null)

/** As much of a Worker as is used here. */
export interface SweepWorker {
  onmessage: ((event: MessageEvent<SweptReply>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  onmessageerror: ((event: MessageEvent) => void) | null
  postMessage(shards: readonly File[]): void
  terminate(): void
}

const pageWorker = (): SweepWorker =>
  errorWhenGone(
    new Worker(new URL('./stored_worker.ts', import.meta.url), { type: 'module', name: 'arenascope-sweep' }),
  )

/** In a worker that ends with it. Rejects with what can be shown: a PartError if the worker could not be fetched, or with the signal's reason. */
export function readInWorker(
  shards: readonly File[],
  done: (files: number) => void,
  signal: AbortSignal,
  makeWorker = pageWorker,
): Promise<Swept> {
  const worker = makeWorker()
  const answer = new Promise<Swept>((resolve, reject) => {
    let hasBegun = false
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.onmessage = ({ data }) => {
      hasBegun = true
      if (typeof data === 'number') done(data)
      else if ('wrong' in data) reject(new Error(data.wrong))
      else resolve(data)
    }
    worker.onerror = ({ message }) => {
      // of a script that does not come the browser tells nothing, and nothing comes before it
      if (!hasBegun && !message) reject(new PartError('What reads sweeps could not be fetched. Check the connection.'))
      else reject(new Error(`Reading it failed: ${message || 'it may be larger than there is memory.'}`))
    }
    worker.onmessageerror = () => reject(new Error('What was read could not be handed over.'))
    worker.postMessage(shards)
  })
  return answer.finally(() => worker.terminate())
}

/**
 * files: of the folder, in any order. Throws what can be shown. It takes the matrix's place from now on: whatever is asked of that later
 * takes it in turn, and this then ends without a word, as it does on Cancel.
 */
export async function openSweep(
  files: readonly File[],
  read: (...asked: Parameters<typeof readInWorker>) => Promise<Swept> = readInWorker,
): Promise<void> {
  const shards = files.filter(({ name }) => name.endsWith('.parquet'))
  if (shards.length === 0)
    throw new Error('There is no Parquet file in it: arenascope.sweep writes them into folders of two letters.')
  const signal = takeMatrix()
  signal.addEventListener('abort', () => reading.set(null), { once: true })
  const done = (files: number) => {
    if (!signal.aborted) reading.set({ done: files, of: shards.length })
  }
  done(0)
  try {
    const swept = await read(shards, done, signal)
    if (signal.aborted) return
    const [folder = 'a sweep'] = (shards[0]?.webkitRelativePath ?? '').split('/')
    problems = new Map(
      files.filter(({ name }) => /^[0-9a-f]{16}\.csv$/.test(name)).map((file) => [file.name.slice(0, 16), file]),
    )
    settings = swept.settings
    const { count, solvers, rows } = swept
    const work = { kind: 'done' as const, done: count, total: count }
    matrix.set({ work, choice: MATRIX, solvers, rows, stored: folder || 'a sweep' })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    if (!signal.aborted) reading.set(null)
  }
}
