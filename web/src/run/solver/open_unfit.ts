/** The buffers that alone do not fit: shown where the load says so already, opened as a problem of their own, and the way back to all. */
import type { Text } from '../../../../wasm/client/types'
import { records } from '../../base/records'
import { pausesWhile, inSlices, type Work } from '../../base/slices'
import { csvOf } from '../../state/problem/examples'
import { ofUnfit, shownCapacity } from '../../state/workbench'
import type { Overload } from '../../state/problem/overload'
import { askedViewport } from '../../state/ui'
import { textOf } from '../problem/given_text'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'
import { type Source, nameOf } from '../../state/workbench_values'

/** Rows looked at between two places to pause at. */
const GRAIN = 4096

/** The head and the given rows: the core writes one for each buffer, in order. A little at a time. O(bytes). */
export function* pickRows(csv: string, buffers: number[]): Work<string> {
  const wanted = new Set(buffers)
  const picked = new Map<number, string>()
  let head = ''
  // the head comes before the first buffer
  let k = -1
  for (const record of records(csv)) {
    if (k < 0) head = record
    else if (wanted.has(k)) picked.set(k, record)
    if (k++ % GRAIN === GRAIN - 1) yield
  }
  return `${[head, ...buffers.map((buffer) => picked.get(buffer))].join('\n')}\n`
}

/** Opens a text in place of the problem; what is being typed in the editor stays there. */
async function swap(session: Session, text: Text | Promise<Text>, source: Source, capacity: number): Promise<boolean> {
  await session.edited()
  if (!(await session.read(text, source, nameOf(source)))) return false
  workbench.capacity.set(capacity)
  return true
}

/** The buffers of the known set become the problem, at the capacity they do not fit. The whole is kept beside. */
export async function openOnlyThese(session: Session): Promise<void> {
  const whole = workbench.opened.get()
  const why = workbench.why.get()
  if (whole === null || why.kind !== 'known') return
  const { buffers } = why.explanation
  const csv = await session.client.exportCsv(null)
  const name = `${nameOf(whole.source).replace(/\.csv$/i, '') || 'problem'}-only-${buffers.length}.csv`
  const before = workbench.aside.get()
  const { source } = whole
  const text = source.kind === 'example' ? '' : await textOf(whole.text)
  const first = { source, text, capacity: workbench.capacity.get(), count: whole.problem.count }
  const all = typeof csv === 'string' ? csv : await csv.text()
  const part = await inSlices(
    pickRows(all, buffers),
    pausesWhile(() => workbench.opened.get() === whole),
  )
  if (part === null || !(await swap(session, part, { kind: 'text', name }, why.capacity))) return
  // Of a part of a part the way back is to the whole.
  workbench.aside.set(before ?? first)
  await session.run()
}

export async function backToAll(session: Session): Promise<void> {
  const aside = workbench.aside.get()
  if (aside === null) return
  const text = aside.source.kind === 'example' ? csvOf(aside.source.file) : aside.text
  if (!(await swap(session, text, aside.source, aside.capacity))) return
  await session.run()
}

/** Room beside the section that is shown, by its length and by the whole of time. */
const BESIDE = { section: 3, whole: 1 / 60 }
/** and above the buffers that are stacked in it */
const ABOVE = 1.06

/** What is alive in a section is the reason already, though nobody has looked for a smaller one: listed, stacked, and brought into sight. */
export async function showAlive({ buffers, section, need }: Overload): Promise<void> {
  const now = workbench.opened.get()
  if (now === null) return
  await ofUnfit.get()
  if (workbench.opened.get() !== now) return
  const { lower, upper, count } = now.problem.sections
  const at = [lower[section] ?? 0, upper[section] ?? 0] as const
  const all = (upper[count - 1] ?? 0) - (lower[0] ?? 0)
  const beside = Math.max((at[1] - at[0]) * BESIDE.section, all * BESIDE.whole)
  const set = { buffers: [...buffers].sort((x, y) => x - y), section, steps: 0, tried: 0, irreducible: false }
  workbench.whyShown.set(true)
  workbench.why.set({
    kind: 'known',
    capacity: shownCapacity.get(),
    explanation: { ...set, outcome: 'infeasible' },
  })
  askedViewport.set({ t0: at[0] - beside, t1: at[1] + beside, b0: 0, b1: need * ABOVE })
}
