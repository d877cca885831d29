import type { Handed, ImportAnswers } from './imported'
import { importModel } from './model'
import { packGraph } from './packed'
import { fromBlob, fromBytes } from './source'

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
scope.onmessage = ({ data: { file, name, answers } }) => {
  let told = 0
  const source = typeof file === 'string' ? fromBytes(new TextEncoder().encode(file)) : fromBlob(file)
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
