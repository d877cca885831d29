/** Jumps that the core knows no kind for. */
import { overview, stats, steps } from '../../state/workbench'
import { looking, notice, type PlayBy, playBy } from '../../state/atoms'
import { paceFor } from '../../state/search/pace'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'

/** Steps looked at in one go: the page may do something else between two. */
const STRIDE = 2 ** 20

/** The first step after `from`, up to `last`, after which more than `depth` buffers are placed; 0: none, null: it was given up. */
async function deeper(session: Session, depth: number, from: number, last: number): Promise<number | null> {
  for (let at = from; at < last; ) {
    const sought = await session.client.scan(at, true, [{ above: depth }], Math.min(STRIDE, last - at))
    if (sought === null) return null
    if (sought.step > 0) return sought.step
    if (sought.over || sought.stopped <= at) return 0
    at = sought.stopped
  }
  return 0
}

/** The most buffers placed after any step up to `step`: from the overview up to its bucket, from the steps themselves within it. */
async function deepestUpTo(session: Session, step: number): Promise<number | null> {
  const known = overview.get()
  if (known === null) return null
  const bucket = Math.floor(Math.max(0, step - 1) / known.width)
  let depth = known.maxDepth.subarray(0, bucket).reduce((most, each) => Math.max(most, each), 0)
  for (let at = bucket * known.width; at < step; ) {
    const found = await deeper(session, depth, at, step)
    if (found === null) return null
    if (found === 0 || found > step) return depth
    // a placement adds one buffer
    depth += 1
    at = found
  }
  return depth
}

/** To the next step at which more buffers are placed than ever before; stays if there is none, and says so. */
export async function nextDeepest(session: Session): Promise<void> {
  const from = workbench.cursor.get()
  const { player } = session
  player.pause()
  looking.set(true)
  try {
    const depth = await deepestUpTo(session, from)
    if (depth === null || workbench.cursor.get() !== from) return
    const most = overview.get()?.maxDepth.reduce((a, b) => Math.max(a, b), 0) ?? 0
    const step = most <= depth ? 0 : await deeper(session, depth, from, Number.MAX_SAFE_INTEGER)
    if (step === null || workbench.cursor.get() !== from) return
    if (step > 0) player.seek(step)
    else
      notice.set({
        tone: 'plain',
        title: 'Nothing deeper follows.',
        text: `No later step has more than ${depth} placed.`,
      })
  } finally {
    looking.set(false)
  }
}

/** The backtrack that is so many further. Of many it is the first after where the overview says that the others lie. */
async function backtracks(session: Session, at: number, count: number): Promise<number> {
  const known = overview.get()
  let from = at
  let left = count - 1
  for (let k = known === null ? 0 : Math.floor(at / known.width); known !== null && k < known.count; k++) {
    const here = known.backtracks[k] ?? 0
    if (here > left) break
    left -= here
    from = Math.max(at, (k + 1) * known.width)
  }
  return session.client.find(Math.min(from, steps.get()), true, 'backtrack')
}

/** The next step that is deeper than all before it, or that completes a plan better than all before it. */
async function record(session: Session, at: number): Promise<number | null> {
  const plan = overview.get()?.marks.find(({ kind, step }) => kind === 'incumbent' && step > at)?.step ?? 0
  const depth = await deepestUpTo(session, at)
  if (depth === null) return null
  const deepest = stats.get()?.maxDepth ?? 0
  const step = deepest <= depth ? 0 : await deeper(session, depth, at, plan > 0 ? plan : steps.get())
  if (step === null) return null
  return step > 0 && (plan === 0 || step < plan) ? step : plan
}

/** What is played from now on, at a pace by which all of it takes as long as a whole search does. */
export function playOnly(session: Session, by: PlayBy): void {
  const { player } = session
  playBy.set(by)
  player.leap =
    by === 'steps' ? null : (at, count) => (by === 'records' ? record(session, at) : backtracks(session, at, count))
  const now = stats.get()
  if (now !== null)
    player.setSpeed(paceFor(by === 'steps' ? now.steps : by === 'records' ? now.maxDepth : now.backtracks))
}
