/** A table of buffers as it is pasted from a page or a terminal: the right columns, and no separator that the core reads. */
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { head } from './sniff'

/** Columns for a beginning, an end and a size. */
const COLUMNS = [/^(lower|start|begin|first)/i, /^(upper|end|last|stop|free)/i, /^(size|bytes|length)/i]

/** What stands between the columns of the first line, in words; null: it names no buffers, or is CSV. */
function separatorOf(source: Source): string | null {
  const lines = head(source).split(/[\r\n]+/)
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const fields = first.split(/[|\s]+/)
  if (/[,;\t]/.test(first) || !COLUMNS.every((column) => fields.some((field) => column.test(field)))) return null
  return first.includes('|') ? '“|”' : 'blanks'
}

export const isOtherTable = (source: Source): boolean => separatorOf(source) !== null

/** Always throws: whether a blank parts two columns or is in a name, nobody can know. */
export function refuseOtherTable(source: Source): never {
  throw new Refusal(
    `the columns of this table are separated by ${separatorOf(source)}, expected commas, semicolons or tabs, as in “id,lower,upper,size”.`,
  )
}
