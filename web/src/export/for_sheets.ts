/** A CSV in which no cell is a formula, for those who open it in a spreadsheet. */
import { records } from '../base/records'
import type { Pause } from '../base/slices'
import type { Written } from './files'

/** What a spreadsheet computes. Numbers have a sign, too. */
const isFormula = (text: string) => /^[=@\t\r]|^[+-](?![\d.]+$)/.test(text)

/** Whether there may be any: a cell of several lines may look like one. O(letters). */
export const mayCompute = (csv: string) => /(?:^|[,\n])"?(?:[=@\t\r]|[+-](?![\d.]+"?(?:[,\r\n]|$)))/.test(csv)

/** Bytes, or letters, that are looked at without a pause. */
const PIECE = 2 ** 16

/** The same of a text of any length, by whole lines. */
export async function mayComputeIn(csv: string | Blob, pause: Pause): Promise<boolean> {
  const decoder = new TextDecoder()
  const size = typeof csv === 'string' ? csv.length : csv.size
  let rest = ''
  for (let from = 0; from < size; from += PIECE) {
    const piece = csv.slice(from, from + PIECE)
    rest += typeof piece === 'string' ? piece : decoder.decode(await piece.arrayBuffer(), { stream: true })
    const end = rest.lastIndexOf('\n') + 1
    if (mayCompute(rest.slice(0, end))) return true
    rest = rest.slice(end)
    await pause()
  }
  return mayCompute(rest)
}

function cellFor(cell: string): string {
  const quoted = cell.startsWith('"')
  const text = quoted ? cell.slice(1, -1) : cell
  return isFormula(text) ? `"'${quoted ? text : text.replaceAll('"', '""')}"` : cell
}

/** Each of them with an apostrophe before it, as the command writes it with --for_sheets. */
export function* forSheets(csv: string): Written {
  for (const record of records(csv)) yield `${record.replace(/"(?:[^"]|"")*"|[^,]+/g, cellFor)}\n`
}
