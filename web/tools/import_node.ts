/** What the bench of the importer runs in Node. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { NO_ANSWERS } from '../src/import/imported'
import { importModel } from '../src/import/model'
import { fromFetch } from '../src/import/source'

/** Milliseconds, and how many bytes of the file were read. */
export function measure(path: string): { milliseconds: number; operators: number; read: number } {
  const start = performance.now()
  const file = openSync(path, 'r')
  let read = 0
  const source = fromFetch(fstatSync(file).size, (from, length) => {
    const bytes = new Uint8Array(length)
    read += readSync(file, bytes, 0, length, from)
    return bytes
  })
  const imported = importModel(source, path, NO_ANSWERS)
  closeSync(file)
  if (!imported.ok) throw new Error(imported.message)
  if (!('graph' in imported)) throw new Error('no graph')
  return { milliseconds: performance.now() - start, operators: imported.graph.ops.length, read }
}
