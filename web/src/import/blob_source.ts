/** A file of the page's as a source, in a module of its own: the types of the npm package, which have the others, do without the DOM's. */
import { fromFetch, type Source } from './source'

/** What a worker has to read a Blob with at once; the types of the page do not know it. */
interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer
}
declare const FileReaderSync: new () => SyncReader

/** Only in a worker: a page may not wait for a file. */
export function fromBlob(blob: Blob): Source {
  const reader = new FileReaderSync()
  return fromFetch(
    blob.size,
    (from, length) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, from + length))),
  )
}
