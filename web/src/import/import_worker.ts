import { sayAlive } from '../../../wasm/client/alive'
import { isGzip, unpacked } from './gzip'
import type { Handed, ImportAnswers } from './imported'
import { importModel } from './model'
import { packGraph } from './packed'
import { fromBlob } from './blob_source'
import { fromBytes, type Source } from './source'

export interface ImportRequest {
  /** a text is what was pasted */
  file: Blob | string
  name: string
  answers: ImportAnswers
}
export type ImportReply = { type: 'progress'; done: number } | { type: 'done'; imported: Handed }

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<ImportRequest>) => void) | null
  postMessage(reply: ImportReply, transfer?: ArrayBuffer[]): void
}

/** Oftener would only be drawn over. */
const PROGRESS = 0.01

const scope = self as unknown as Scope

function read({ name, answers }: ImportRequest, source: Source): void {
  let told = 0
  const imported = importModel(source, name, answers, (done) => {
    if (done < told + PROGRESS) return
    told = done
    scope.postMessage({ type: 'progress', done })
  })
  if (!('graph' in imported)) scope.postMessage({ type: 'done', imported })
  else {
    const graph = packGraph(imported.graph)
    const arrays = [graph.numbers.buffer, graph.words.buffer, graph.text.buffer]
    scope.postMessage({ type: 'done', imported: { ...imported, graph } }, arrays)
  }
}

async function readUnpacked(request: ImportRequest, file: Blob): Promise<void> {
  let bytes: Uint8Array
  try {
    bytes = await unpacked(file)
  } catch (error) {
    const message = `${request.name}: it is compressed by gzip and cannot be unpacked: ${(error as Error).message}`
    scope.postMessage({ type: 'done', imported: { ok: false, message, questions: [] } })
    return
  }
  try {
    read(request, fromBytes(bytes))
  } catch (defect) {
    // of a promise that rejects the page would hear nothing
    reportError(defect)
  }
}

sayAlive()
scope.onmessage = ({ data }) => {
  const { file } = data
  const source = typeof file === 'string' ? fromBytes(new TextEncoder().encode(file)) : fromBlob(file)
  const [first, second] = source.read(0, Math.min(2, source.size))
  if (typeof file !== 'string' && isGzip(first, second)) readUnpacked(data, file)
  else read(data, source)
}
