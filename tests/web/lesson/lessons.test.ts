/** Every lesson against the core: its data is well-formed, its numbers are there, its answers are what they are said to be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byteUnit } from '../../../web/src/base/format'
import type { Client } from '../../../wasm/client/types'
import type { Ask, Lesson, Live, Show, Step } from '../../../web/src/lessons/lesson'
import { lessons } from '../../../web/src/lessons/list'
import { idOf, indexOf, stepOf } from '../../../web/src/lessons/answers/live'
import { pieces, plain } from '../../../web/src/lessons/text'
import {
  endsOf,
  graphOf,
  handFrame,
  type Material,
  placeOf,
  readMaterial,
  run,
} from '../../../web/src/run/lesson/lessons'
import { planFrame } from '../../../web/src/state/solver/plan_frame'
import { plain as spoken } from '../../../web/src/state/step/plain'
import { moreWords, tell } from '../../../web/src/state/step/sentence'
import { nodeClient, ROOT } from '../../wasm/support'
import { EXPECTED } from './lessons_expected'

let client: Client
let beside: Client
beforeAll(async () => {
  client = (await nodeClient()).client
  beside = (await nodeClient()).client
})
afterAll(() => {
  client.dispose()
  beside.dispose()
})

async function materialOf({ problem }: Show): Promise<Material> {
  if ('network' in problem) return graphOf(problem)
  return 'csv' in problem ? problem.csv : readFileSync(join(ROOT, 'examples', problem.example), 'utf8')
}

/** What the page knows when it shows this. */
async function look(show: Show, others: Live['others'] = null): Promise<Live> {
  const { problem, model = null } = await readMaterial(client, await materialOf(show), show)
  const manifest = await client.manifest()
  const { capacity } = show
  if (show.solver === undefined) {
    const { bricks, order = [] } = show
    const frame =
      bricks === undefined
        ? handFrame(
            problem,
            order.map((id) => indexOf(problem, id)),
          )
        : planFrame(
            Float64Array.from(problem.ids, (id) => bricks[id] ?? -1),
            0,
            null,
          )
    return { manifest, problem, capacity, model, stats: null, best: null, plan: null, events: [], frame, others }
  }
  const { result, last, frame } = await run(client, problem, show)
  const { stats, best, plan = null } = result
  return { manifest, problem, capacity, model, stats, best, plan, events: last.events, frame, others }
}

async function lookAt(step: Step): Promise<Live> {
  const live = await look(step.show)
  const others =
    step.others && (await endsOf(beside, await materialOf(step.show), step.show, step.others(live.problem), () => true))
  return { ...live, others: others ?? null }
}

/** What is shown once the page has shown the reader how. */
async function shown(step: Step, live: Live): Promise<Live> {
  if (step.ask?.kind !== 'do') return live
  const { at, ...more } = step.ask.show(live)
  const { at: _, ...rest } = step.show
  return look({ ...rest, ...(at === undefined ? {} : { at }), ...more }, live.others)
}

/** Answers that are wrong, with what is said to them. */
function hints(ask: Ask, live: Live): string[] {
  const all = (n: number) => Array.from({ length: n }, (_, k) => k)
  if (ask.kind === 'number') return [-1, 0, 1, 3, 64, ask.answer(live) + 1].map((given) => ask.hint(given, live))
  if (ask.kind === 'choice') return ask.options.map((option) => option.reply)
  if (ask.kind === 'buffer') return all(live.problem.count).map((k) => ask.hint(k, live))
  if (ask.kind === 'section') return all(live.problem.sections.count).map((k) => ask.hint(k, live))
  return [ask.hint(live)]
}

function said(step: Step, live: Live): string[] {
  const { ask } = step
  if (ask === undefined) return step.text
  const right = ask.kind === 'choice' ? ask.options.map((option) => option.text) : [ask.right]
  return [...step.text, ask.question, ...right, ...hints(ask, live)]
}

const cases = lessons.flatMap((lesson) =>
  lesson.steps.map((step, k) => [`${lesson.id}/${k + 1}`, lesson, step] as const),
)

describe('the list', () => {
  it('has names that links can carry, each once', () => {
    const ids = lessons.map((lesson) => lesson.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z-]+$/)
  })

  it.each(lessons.map((lesson): [string, Lesson] => [lesson.id, lesson]))(
    '%s is short and names its paper',
    (_, lesson) => {
      expect(lesson.gained).toMatch(/^[a-z].*\.$/)
      expect(lesson.minutes).toBeLessThan(10)
      expect(lesson.steps.length).toBeGreaterThan(3)
      expect(lesson.sources.length).toBeGreaterThan(0)
      for (const { text, url } of lesson.sources) {
        expect(text).toMatch(/§|Figure|Table/)
        expect(url).toMatch(/^https:\/\/doi\.org\/10\.(1145\/|1109\/|48550\/arXiv\.)/)
      }
      expect(lesson.steps.filter((step) => step.ask !== undefined).length).toBeGreaterThan(2)
      const titles = lesson.steps.map((step) => step.title)
      expect(new Set(titles).size).toBe(titles.length)
      /* a minute has 200 words, and half a minute goes into each question */
      const words = lesson.steps
        .flatMap((step) => step.text)
        .join(' ')
        .split(' ').length
      expect(words / 200 + lesson.steps.length / 2).toBeLessThan(lesson.minutes)
    },
  )

  it('is found by number and by name, and at a step', () => {
    const ids = lessons.map((lesson) => lesson.id)
    expect(placeOf('lesson=3', ids)).toEqual({ id: ids[2], step: 0 })
    expect(placeOf('lesson=greedy', ids)).toEqual({ id: 'greedy', step: 0 })
    expect(placeOf('lesson=greedy/4', ids)).toEqual({ id: 'greedy', step: 3 })
    expect(placeOf('lesson=greedy/0', ids)).toEqual({ id: 'greedy', step: 0 })
    for (const none of ['lesson=', 'lesson=0', 'lesson=99', 'lesson=greedy/x', 'lesson=<b>', 'v2.abc', ''])
      expect(placeOf(none, ids)).toBeNull()
  })
})

describe('each step', () => {
  it.each(cases)('%s', async (name, _, step) => {
    const live = await lookAt(step)
    const { problem, stats, frame } = live
    expect(frame).not.toBeNull()
    for (const id of [...(step.show.order ?? []), ...(step.show.light ?? [])]) expect(problem.ids).toContain(id)
    if (stats !== null) {
      expect(['running', 'budget-spent', 'out-of-memory']).not.toContain(stats.outcome)
      expect(frame?.step).toBe(stepOf(live, step.show.at))
      // an event that is not there would lead to the end
      if (typeof step.show.at === 'object') expect(frame?.events.some((e) => e.step === frame.step)).toBe(true)
    }
    const facts = step.facts ?? {}
    const texts = said(step, live)
    for (const text of texts) {
      // each number is one that the core has said: none is written down. Names in backticks and what a hint has worked out are no claims.
      const written = step.text.includes(text) || text === step.ask?.question ? text : ''
      expect(written.replace(/`[^`]*`|\{\w+\}/g, '')).not.toMatch(/\d/)
      for (const piece of pieces(text, facts, live)) {
        expect(piece.text, text).not.toMatch(/undefined|NaN|[{}]|-1\b/)
        if (piece.kind === 'name') expect(problem.ids, text).toContain(piece.text)
      }
    }
    const used = new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1])))
    expect(Object.keys(facts).filter((fact) => !used.has(fact))).toEqual([])
    const values = Object.fromEntries(Object.keys(facts).map((key) => [key, plain(`{${key}}`, facts, live)]))
    expect({ facts: values, answer: answerOf(step, live) }).toEqual(EXPECTED[name])
  })

  /** What the page writes under the canvas, aloud. */
  function sentence({ problem, manifest, capacity, frame }: Live): string {
    if (frame === null) return ''
    const names = { operator: () => '', armName: () => '', arm: '' }
    const { spans } = tell({ problem, manifest, capacity, frame, minimising: false, ...names })
    return spoken(spans, byteUnit(capacity), (k) => idOf(problem, k))
  }

  const asked = cases.filter(([, , step]) => step.show.solver !== undefined && step.ask !== undefined)
  it.each(asked)('%s has no answer beside its question', async (name, _, step) => {
    await moreWords.get()
    const answer = EXPECTED[name]?.answer
    const rights = Array.isArray(answer) ? answer : typeof answer === 'number' ? [String(answer)] : []
    const words = sentence(await lookAt(step)).split(/[^\w]+/)
    if (rights.some((right) => words.includes(right))) expect(step.keeps, words.join(' ')).toBe('sentence')
  })

  it('says of other lessons and steps only what holds there', () => {
    const all = lessons.flatMap(({ steps }) => steps.flatMap((step) => step.text)).join(' ')
    // the list goes on behind each lesson but one, which is no end either
    expect(all).not.toMatch(/reached the end/)
    for (const [, title] of all.matchAll(/[Tt]he lesson \*([^*]+)\*/g))
      expect(lessons.map((lesson) => lesson.title)).toContain(title)
    // the lowest plan of lesson peak's third step is as high as the peak of its fourth
    expect(EXPECTED['peak/3']?.facts.lowest).toBe(EXPECTED['peak/4']?.facts.peak)
  })

  it('expects nothing of steps that are not there', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(cases.map(([name]) => name).sort())
  })

  const tasks = cases.filter(([, , step]) => step.ask?.kind === 'do')
  it.each(tasks)('%s is not done yet, and what is shown then does it', async (_, __, step) => {
    if (step.ask?.kind !== 'do') return
    const live = await lookAt(step)
    expect(step.ask.done(live)).toBe(false)
    expect(step.ask.done(await shown(step, live))).toBe(true)
  })
})

/** As a person would give it. */
function answerOf({ ask, facts = {} }: Step, live: Live): unknown {
  if (ask === undefined) return null
  if (ask.kind === 'number') return ask.answer(live)
  if (ask.kind === 'choice') return plain(ask.options[ask.answer(live)]?.text ?? '', facts, live)
  if (ask.kind === 'buffer') return ask.answers(live).map((k) => live.problem.ids.at(k))
  if (ask.kind === 'section') {
    const { lower, upper } = live.problem.sections
    const k = ask.answer(live)
    return `[${lower[k]}, ${upper[k]})`
  }
  return ask.show(live)
}
