/** What the large solver adds: tries at a target, and buffers that go in over others. */
import type { EventOf } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { isByChance, isDive } from '../solver/arms'
import { buffer, bytes, count, plural, type Span, say, type Teller, type Told, told } from './sentence_parts'

/** Nothing is free below the target, and the buffer goes in all the same. */
export function forcedIn(event: EventOf<'eject'>): Told {
  const { buffer: b, offset, fails, budget, target } = event
  const out = [...event.list]
  const spans = [
    ...say`Below ${bytes(target)} nothing is free for ${buffer(b, 'now')}. It goes to ${bytes(offset, 'now')} all the same, where what lies in the way weighs least.`,
    ...say` ${count(out.length, out, 'why')} ${plural(out.length, 'buffer is taken out and waits', 'buffers are taken out and wait')} to be placed again.`,
  ]
  return told(event, {
    chip: 'Forced in',
    title: `${thousands(fails)} of ${thousands(budget)} in this try`,
    tone: 'why',
    glyph: 'back',
    spans,
  })
}

const WHY = { walled: 1, tooHigh: 2, astray: 3 }

/** What became of the try before, in one sentence. */
function ended(event: EventOf<'abandon'>): Span[] {
  const { buffer: b, why, forced, target } = event
  if (why === WHY.astray) return say`The try before is abandoned: the dive found no way up. `
  const who = buffer(b, 'why')
  if (why === WHY.tooHigh) return say`The try before is abandoned: with ${who} the dive rose above ${bytes(target)}. `
  if (why === WHY.walled)
    return say`The try before is abandoned: wherever ${who} might have gone, something fixed is in the way. `
  return say`The try before is abandoned: ${who} had no place below ${bytes(target)}, and ${count(forced)} had gone in over others already. `
}

/** A try without an order: section by section from the floor up. */
function dive(event: EventOf<'restart'>, name: string, before: Span[], target: number): Told {
  const longest = isByChance(name)
    ? 'the longest that fits sits there, each life counting as up to half as long again by chance.'
    : 'the longest that fits sits there.'
  const spans = [
    ...before,
    ...say`Try ${count(event.round)} starts: ${name}. Of the buffers on the floor where most is left to place, ${longest}`,
    ...(target < 0 ? [] : say` It is abandoned if it rises above ${bytes(target)}.`),
  ]
  return told(event, { chip: 'Next try', title: name, glyph: 'restart', spans })
}

function aim(target: number, nth: number): Span[] {
  if (target < 0) return say`, a plain first fit without a target.`
  if (nth === 0) return say`: everything is to be placed below ${bytes(target)}, the lower bound.`
  return say`: everything is to be placed below ${bytes(target)}, for which this is try ${count(nth)}.`
}

/** A try begins. */
export function nextTry(
  t: Teller,
  event: EventOf<'restart'>,
  goal: EventOf<'target'>,
  abandoned: EventOf<'abandon'> | null,
): Told {
  const { round, arm: order, limit: budget } = event
  const { target, best, nth } = goal
  const name = t.armName(order)
  const before = abandoned === null ? [] : ended(abandoned)
  if (isDive(name)) return dive(event, name, before, target)
  const spans = [
    ...before,
    ...say`Try ${count(round)} starts`,
    ...aim(target, nth),
    ...say` The buffers come by ${name}; after ${count(budget)} that find no place it is abandoned.`,
  ]
  if (best >= 0 && abandoned === null) spans.push(...say` The best plan so far is ${bytes(best, 'ok')} high.`)
  return told(event, { chip: 'Next try', title: name, glyph: 'restart', spans })
}
