/** What the bench of the importer runs in a browser: the page's own import worker, timed. */
import { importFile } from '../src/import/import_client'
import { NO_ANSWERS } from '../src/import/imported'

interface Measured {
  milliseconds: number
  operators: number
}

async function measure(file: File): Promise<Measured> {
  const start = performance.now()
  const imported = await importFile(file, NO_ANSWERS, () => {}, new AbortController().signal)
  const milliseconds = performance.now() - start
  if (!imported.ok) throw new Error(imported.message)
  if (!('graph' in imported)) throw new Error('no graph')
  return { milliseconds, operators: imported.graph.words[1] ?? 0 }
}

declare global {
  interface Window {
    measureImport: (input: HTMLInputElement) => Promise<Measured>
  }
}

window.measureImport = async (input) => {
  const [file] = input.files ?? []
  if (!file) throw new Error('no file')
  return measure(file)
}
