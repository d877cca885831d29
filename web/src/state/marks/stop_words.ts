/** What a stop asks of a step: as the worker looks for it, and in words. */
import type { Condition, Manifest, Problem, Role } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import type { StopWhat } from './stop'

/** Why a stop cannot be met by this problem's searches. */
export interface Misfit {
  /** a sentence */
  why: string
}

/** What a step does to the buffer that it is to stop for. */
const ROLES = { placed: 'puts', tried: 'tries', undone: 'takes' } as const satisfies Record<string, Role>

function ofBuffer(what: keyof typeof ROLES, id: string, problem: Problem): Condition | Misfit {
  const buffer = problem.ids.indexOf(id)
  if (buffer < 0) return { why: `There is no buffer “${id}” in this problem.` }
  return { role: ROLES[what], buffer }
}

/** As the worker looks for it, or why there is nothing to look for. */
export function conditionOf(stop: StopWhat, problem: Problem, manifest: Manifest): Condition | Misfit {
  switch (stop.what) {
    case 'placed':
    case 'tried':
    case 'undone':
      return ofBuffer(stop.what, stop.buffer, problem)
    case 'deeper':
      if (stop.than < problem.count) return { above: stop.than }
      return {
        why: `There are ${thousands(problem.count)} buffers: never are more than ${thousands(stop.than)} placed.`,
      }
    case 'rule': {
      const rule = manifest.rules.findIndex(({ id }) => id === stop.rule)
      return rule > 0 ? { rule } : { why: `This version has no rule “${stop.rule}”.` }
    }
    case 'section':
      if (stop.section < problem.sections.count) return { section: stop.section }
      return { why: `The sections go from 0 to ${thousands(Math.max(0, problem.sections.count - 1))}.` }
    case 'step':
      return stop.event === 'major' ? { kinds: ['backtrack'], major: true } : { kinds: [stop.event] }
  }
}

const STEPS = {
  backtrack: 'a backtrack',
  major: 'a major backtrack',
  restart: 'a restart',
  reject: 'a rejection',
  skip: 'candidates are passed over',
} as const

/** As it stands in the list: "b6 is placed". */
export function stopText(stop: StopWhat, manifest: Manifest | null): string {
  switch (stop.what) {
    case 'placed':
      return `${stop.buffer} is placed`
    case 'tried':
      return `${stop.buffer} is tried in vain`
    case 'undone':
      return `${stop.buffer} is taken back`
    case 'deeper':
      return `depth exceeds ${thousands(stop.than)}`
    case 'rule':
      return `the rule ${manifest?.rules.find(({ id }) => id === stop.rule)?.title ?? stop.rule} discards`
    case 'section':
      return `section ${thousands(stop.section)}’s bound passes the capacity`
    case 'step':
      return STEPS[stop.event]
  }
}
