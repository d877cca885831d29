/** The buffers that alone do not fit, opened as a problem of their own, and the way back to all. */
import type { Text } from '../../../wasm/client/types'
import * as a from '../state/atoms'
import { csvOf } from '../state/examples'
import type { Session } from './session'

/** The records of a CSV; line ends within quotes are part of a record. */
export function records(csv: string): string[] {
  const list: string[] = []
  let from = 0
  let quoted = false
  for (let k = 0; k < csv.length; k++) {
    if (csv[k] === '"') quoted = !quoted
    if (csv[k] !== '\n' || quoted) continue
    list.push(csv.slice(from, k))
    from = k + 1
  }
  if (from < csv.length) list.push(csv.slice(from))
  return list
}

/** The head and the given rows: the core writes one for each buffer, in order. */
export function pickRows(csv: string, buffers: number[]): string {
  const [head, ...rows] = records(csv)
  return `${[head, ...buffers.map((k) => rows[k])].join('\n')}\n`
}

/** Opens a text in place of the problem; what is being typed in the editor stays there. */
async function swap(
  session: Session,
  text: Text | Promise<Text>,
  source: a.Source,
  capacity: number,
): Promise<boolean> {
  const draft = a.draft.get()
  if (!(await session.open(text, source, a.nameOf(source)))) return false
  a.draft.set(draft)
  a.capacity.set(capacity)
  return true
}

/** The buffers of the known set become the problem, at the capacity they do not fit. The whole is kept beside. */
export async function openOnlyThese(session: Session): Promise<void> {
  const whole = a.opened.get()
  const why = a.why.get()
  if (whole === null || why.kind !== 'known') return
  const { buffers } = why.explanation
  const csv = await session.client.exportCsv(null)
  const name = `${a.nameOf(whole.source).replace(/\.csv$/i, '') || 'problem'}-only-${buffers.length}.csv`
  const before = a.aside.get()
  const { source } = whole
  const text = source.kind === 'example' ? '' : whole.text
  const first = { source, text, capacity: a.capacity.get(), count: whole.problem.count }
  if (
    !(await swap(
      session,
      pickRows(typeof csv === 'string' ? csv : await csv.text(), buffers),
      { kind: 'text', name },
      why.capacity,
    ))
  )
    return
  // Of a part of a part the way back is to the whole.
  a.aside.set(before ?? first)
  await session.run()
}

export async function backToAll(session: Session): Promise<void> {
  const aside = a.aside.get()
  if (aside === null) return
  const text = aside.source.kind === 'example' ? csvOf(aside.source.file) : aside.text
  if (!(await swap(session, text, aside.source, aside.capacity))) return
  await session.run()
}
