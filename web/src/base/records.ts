/** The records of a CSV, one by one; line ends within quotes are part of a record. */
export function* records(csv: string): Generator<string> {
  let from = 0
  let quoted = false
  for (let k = 0; k < csv.length; k++) {
    if (csv[k] === '"') quoted = !quoted
    if (csv[k] !== '\n' || quoted) continue
    yield csv.slice(from, k)
    from = k + 1
  }
  if (from < csv.length) yield csv.slice(from)
}
