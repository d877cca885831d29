/** A CSV in which no cell is a formula, for those who open it in a spreadsheet. */
import { records } from '../base/records'
import type { Written } from './files'

/** What a spreadsheet computes. Numbers have a sign, too. */
const isFormula = (text: string) => /^[=@\t\r]|^[+-](?![\d.]+$)/.test(text)

/** Whether there may be any: a cell of several lines may look like one. O(letters). */
export const mayCompute = (csv: string) => /(?:^|[,\n])"?(?:[=@\t\r]|[+-](?![\d.]+"?(?:[,\r\n]|$)))/.test(csv)

function cellFor(cell: string): string {
  const quoted = cell.startsWith('"')
  const text = quoted ? cell.slice(1, -1) : cell
  return isFormula(text) ? `"'${quoted ? text : text.replaceAll('"', '""')}"` : cell
}

/** Each of them with an apostrophe before it, as the command writes it with --for_sheets. */
export function* forSheets(csv: string): Written {
  for (const record of records(csv)) yield `${record.replace(/"(?:[^"]|"")*"|[^,]+/g, cellFor)}\n`
}
