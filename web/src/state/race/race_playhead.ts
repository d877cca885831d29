/** Several searches under one playhead, and which of them was first. */
import type { OutcomeId } from '../../../../wasm/client/types'
import { seconds } from '../../base/format'

/** Equal steps stand side by side, or equal shares of each run. */
export type LockBy = 'steps' | 'share'

/** Of the playhead: it moves over the steps of the longest run. */
export function lengthOf(steps: readonly number[]): number {
  return steps.reduce((most, n) => Math.max(most, n), 0)
}

/** The step that a run of `steps` steps shows while the playhead is at `position` of `length`. A run that is over shows its end. */
export function stepUnder(position: number, length: number, steps: number, by: LockBy): number {
  if (position <= 0 || steps <= 0 || length <= 0) return 0
  if (by === 'steps' || position >= length) return Math.min(Math.round(position), steps)
  return Math.min(steps, Math.round((position / length) * steps))
}

/** The position of the playhead under which a run shows `step`: what dragging on one run means for all. */
export function positionOf(step: number, length: number, steps: number, by: LockBy): number {
  if (by === 'steps' || steps <= 0) return Math.min(length, Math.max(0, step))
  return Math.min(length, Math.max(0, (step / steps) * length))
}

/** How far one press of the step key goes: a step, or a hundredth of every run. */
export function strideOf(length: number, by: LockBy): number {
  return by === 'steps' ? 1 : Math.max(1, length / 100)
}

export interface Finish {
  title: string
  outcome: OutcomeId | 'failed'
  /** milliseconds from the start of the race, by the page's clock */
  after: number
}

/** It is known whether the problem fits, or a plan was found that does. */
function decides(outcome: Finish['outcome']): boolean {
  return outcome === 'optimal' || outcome === 'feasible' || outcome === 'infeasible'
}

/** Ends that are nearer to each other than what the page's clock and the workers' messages tell apart, in milliseconds. */
const TIE_MS = 20

/** Who was first to know an answer; null while nobody was. A tie names all who share it. */
export function firstToDecide(finishes: readonly Finish[]): { titles: string[]; after: number } | null {
  const decided = finishes.filter(({ outcome }) => decides(outcome)).sort((x, y) => x.after - y.after)
  const first = decided[0]
  if (first === undefined) return null
  const near = decided.filter(({ after }) => after - first.after < TIE_MS)
  return { titles: near.map(({ title }) => title), after: first.after }
}

export interface RaceNews {
  first: string
  /** what it is worth, '' where there is nothing to be said */
  fair: string
}

/** Who was first, in words. lanes: all there are; finishes: those of the last race; cores: of the machine */
export function raceNews(lanes: number, finishes: readonly Finish[], cores: number): RaceNews {
  if (finishes.length < 2)
    return { first: lanes < 2 ? '' : 'They were not started together: Race does that.', fair: '' }
  const first = firstToDecide(finishes)
  if (first === null) return { first: 'None of them has an answer.', fair: '' }
  const fair = `${finishes.length} workers shared ${cores} ${cores === 1 ? 'core' : 'cores'}: times are of this race, steps are the same anywhere.`
  const { titles, after } = first
  if (titles.length > 1) return { first: `${titles.join(' and ')} had an answer first, too close to tell apart.`, fair }
  return { first: `${titles[0]} had an answer first, after ${seconds(after / 1000)}.`, fair }
}
