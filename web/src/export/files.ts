/** Files handed to the person: named after the problem, made in the page, sent nowhere. */
import type { Text } from '../../../wasm/client/types'
import { nameOf, type Opened } from '../state/atoms'

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
