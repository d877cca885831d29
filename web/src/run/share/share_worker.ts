/** Reads one link, or reads or writes one shared file whose problem is long: on the page's own thread that could take longer than a frame. */
import { sayAlive } from '../../../../wasm/client/alive'
import { reply } from '../../base/reply'
import { decodeLink } from '../../state/share/codec'

/** What the file holds as JSON, but for the text of buffers. */
export interface LongFile {
  value: { source: object }
  /** empty of a graph, which stays with the value, and of what has no text */
  text: Blob
}

/** A link, a file to read, or what is to be written. */
export type ShareQuestion = string | Blob | LongFile

/** The file's value without its problem's text, and that; a graph stays with its value, for it is read as a string. null: it is no such file. */
async function taken(file: Blob): Promise<LongFile | null> {
  try {
    const value = JSON.parse(await file.text())
    const { source } = value
    if (source.kind !== 'text') return { value, text: new Blob() }
    const { text } = source
    if (typeof text !== 'string') return null
    source.text = ''
    return { value, text: new Blob([text]) }
  } catch {
    return null
  }
}

async function made({ value, text }: LongFile): Promise<Blob> {
  const source = { ...value.source, text: await text.text() }
  return new Blob([`${JSON.stringify({ ...value, source }, null, 1)}\n`])
}

function answered(question: ShareQuestion): Promise<unknown> {
  if (typeof question === 'string') return decodeLink(question)
  return question instanceof Blob ? taken(question) : made(question)
}

sayAlive()
self.onmessage = ({ data }: MessageEvent<ShareQuestion>) => reply(answered(data))
