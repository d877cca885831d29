/** What is it that comes from outside, as far as its beginning tells? */

/** True if the part after "#" claims to be a link of some version: s and its number, v in those that were never released. */
export function looksLikeLink(fragment: string): boolean {
  return /^[sv]\d+\./.test(fragment)
}

/** True if the part after "#" asks for a lesson. */
export function namesLesson(fragment: string): boolean {
  return fragment.startsWith('lesson=')
}

/** Whether a dropped text is a shared file rather than a CSV. */
export function looksLikeFile(text: string): boolean {
  return /^\s*\{\s*"arenascope"\s*:/.test(text.slice(0, 200))
}

/** So much of the beginning of a file tells what it is, in characters. */
export const HEAD = 65536

/** No text: bytes that are none in UTF-8, or control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/
/** A JSON list of objects: buffers, as the core reads them. */
const LIST = /^(\s*#.*[\r\n])*\s*\[\s*\{/
/** A memory trace may be such a list, of events. */
const TRACE = /"ph"\s*:\s*"[A-Za-z]"/
/** Columns of times and sizes, of which begins.c of the core wants three. */
const COLUMN =
  /(?<=,\s{0,9}"?)(lower|upper|stop|(start|begin|alloc|end|free)([ _-]?time)?|(first|last)([ _-]?used?)?|(byte[ _-]?)?size([ _-]?(in[ _-]?)?bytes)?|n?bytes|length)(?="?\s{0,9}(,|$))/gi

/**
 * What a text is, as far as its beginning tells: a search that was shared, or by its first line a table that the core reads, of buffers, a
 * graph or tasks on tiles. All else an importer has to look at: the lines that tell a tool's log may stand behind a prefix, or far below. What
 * no importer knows and could be CSV comes back from there, for the core to say what is wrong with it.
 */
export function kindOfText(text: string): 'shared' | 'graph' | 'foreign' | 'tasks' | 'buffers' {
  if (looksLikeFile(text)) return 'shared'
  const head = text.slice(0, HEAD)
  if (LIST.test(head)) return TRACE.test(head) ? 'foreign' : 'buffers'
  if (BINARY.test(head)) return 'foreign'
  const lines = head.split(/\r\n|\n|\r/).map((line) => line.replace(/^\ufeff/, '').trim())
  const first = lines.find((line) => line !== '' && !line.startsWith('#')) ?? ''
  const columns = first.match(COLUMN)?.length ?? 0
  // a buffer CSV may have a column of that name
  if (columns >= 3 || first === '') return 'buffers'
  if (/^"?(tiled|task)"?\s*,/.test(first)) return 'tasks'
  if (/^"?(tensor|op)"?\s*,/.test(first)) return 'graph'
  return columns > 1 || /^"?pool"?\s*,/.test(first) ? 'buffers' : 'foreign'
}
