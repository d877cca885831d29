/** A folder that arenascope.sweep of Python wrote, as the matrix: its Parquet files, and the problems beside them, so that a cell opens in the page. */
import { Cell } from '../../base/cell'
import { MATRIX } from '../../state/compare/compare'
import { type MatrixRow, matrix } from './matrix'
import type { Stored, Swept, sweptOf } from './stored_rows'
import type { SweptReply } from './stored_worker'

/** Of the sweep that is shown: problems by their digests, and settings by row and solver. */
let problems = new Map<string, File>()
let settings: Swept['settings'] = new Map()

export const problemOf = (digest: string): File | undefined => problems.get(digest)
export const settingsOf = (row: MatrixRow, solver: string): Stored | undefined =>
  settings.get(`${row.instance.id} ${solver}`)

/** Files of a sweep that is being read. */
export const reading = new Cell<{ done: number; of: number } | null>(null)

/** The reading that is under way, by what it was asked. */
let under: readonly File[] = []

/** In a worker that ends with it. */
const inWorker: typeof sweptOf = (shards, done) => {
  const worker = new Worker(new URL('./stored_worker.ts', import.meta.url), {
    type: 'module',
    name: 'arenascope-sweep',
  })
  const answer = new Promise<Swept>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SweptReply>) => {
      if (typeof data === 'number') done(data)
      else if ('wrong' in data) reject(new Error(data.wrong))
      else resolve(data)
    }
    worker.onerror = () => reject(new Error('The sweep could not be read: it may be larger than there is memory.'))
    worker.postMessage(shards)
  })
  return answer.finally(() => worker.terminate())
}

/** files: of the folder, in any order. Throws what can be shown. Of several the one that was asked for last is shown. */
export async function openSweep(files: readonly File[], read = inWorker): Promise<void> {
  const shards = files.filter(({ name }) => name.endsWith('.parquet'))
  if (shards.length === 0)
    throw new Error('There is no Parquet file in it: arenascope.sweep writes them into folders of two letters.')
  under = shards
  const done = (files: number) => {
    if (under === shards) reading.set({ done: files, of: shards.length })
  }
  done(0)
  try {
    const swept = await read(shards, done)
    if (under !== shards) return
    const [folder = 'a sweep'] = (shards[0]?.webkitRelativePath ?? '').split('/')
    problems = new Map(
      files.filter(({ name }) => /^[0-9a-f]{16}\.csv$/.test(name)).map((file) => [file.name.slice(0, 16), file]),
    )
    settings = swept.settings
    const { count, solvers, rows } = swept
    const work = { kind: 'done' as const, done: count, total: count }
    matrix.set({ work, choice: MATRIX, solvers, rows, stored: folder || 'a sweep' })
  } finally {
    if (under === shards) reading.set(null)
  }
}
