/** Files handed to the person: named after the problem, made in the page, sent nowhere. */
import { errorWhenGone } from '../../../wasm/client/alive'
import type { Text } from '../../../wasm/client/types'
import { ALWAYS, pausesWhile } from '../base/slices'
import { nameOf, type Opened } from '../state/workbench_values'

export function baseName(opened: Opened | null): string {
  const name = nameOf(opened?.source)
  return name.replace(/\.(csv|tflite|onnx|json|txt|log)$/i, '').replace(/[^\w.-]+/g, '-') || 'problem'
}

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export function saveText(text: Text, name: string, type: string): void {
  saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), name)
}

/** A long text as it is written: in order, in pieces of a few lines at most. An empty one is only a place to pause at. */
export type Written = Iterable<string>

/** Pieces between two looks at the clock, and the letters that are handed over together. */
const PIECES = 32
const LETTERS = 2 ** 17
const LOST = 'A part of the page could not be fetched, or the file is larger than there is memory. Nothing was saved.'

/** Whoever puts long texts together. */
class Writer {
  private readonly worker = errorWhenGone(
    new Worker(new URL('./writing_worker.ts', import.meta.url), {
      type: 'module',
      name: 'arenascope-writing',
    }),
  )
  /** asked for from the start: a worker that cannot be fetched says so before anybody wants the whole */
  private readonly made = new Promise<Blob>((resolve, reject) => {
    this.worker.onmessage = ({ data }: MessageEvent<Blob>) => resolve(data)
    this.worker.onerror = () => reject(new Error(LOST))
  })

  constructor() {
    // whoever asks for the whole is told
    this.made.catch(() => {})
  }

  add(text: string): void {
    this.worker.postMessage(text)
  }

  whole(type: string): Promise<Blob> {
    this.worker.postMessage({ type })
    return this.made
  }

  end(): void {
    this.worker.terminate()
  }
}

/** A text of any length, made without holding up the page. */
export async function saveWritten(written: Written, name: string, form: string): Promise<void> {
  const type = `${form};charset=utf-8`
  const pause = pausesWhile(ALWAYS)
  let writer: Writer | null = null
  let text = ''
  let count = 0
  try {
    for (const piece of written) {
      text += piece
      if (text.length >= LETTERS) {
        writer ??= new Writer()
        writer.add(text)
        text = ''
      }
      if (piece === '' || ++count % PIECES === 0) await pause()
    }
    writer?.add(text)
    saveBlob(writer === null ? new Blob([text], { type }) : await writer.whole(type), name)
  } finally {
    writer?.end()
  }
}

/** planned: the text has the plan's offsets. */
export function saveCsv(csv: Text, opened: Opened | null, planned: boolean): void {
  saveText(csv, `${baseName(opened)}${planned ? '.plan' : ''}.csv`, 'text/csv')
}

/** name: what comes after the problem's own. */
export function saveBytes(bytes: Uint8Array<ArrayBuffer>, opened: Opened | null, name: string): void {
  saveBlob(new Blob([bytes], { type: 'application/octet-stream' }), `${baseName(opened)}${name}`)
}

export function saveHeader(text: string, opened: Opened | null, name: string): void {
  saveText(text, `${baseName(opened)}${name}`, 'text/x-c')
}

/** Of a picture of a step: what is shown, who placed it, and when. */
export function pictureName(opened: Opened | null, solver: string, steps: string, ending: string): string {
  return `${[baseName(opened), solver, steps].filter((part) => part !== '').join('.')}.${ending}`
}
