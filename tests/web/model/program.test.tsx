/** The paper's program: written by the core, solved by HiGHS, compared with our own search. */
import { act } from '@testing-library/preact'
import load, { type Highs } from 'highs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ProgramModel, RunConfig, RunResult } from '../../../wasm/client/types'
import { byteUnit } from '../../../web/src/base/format'
import { Program } from '../../../web/src/panels/model/program'
import { type News, startProgram, type Solver, stopProgram } from '../../../web/src/run/model/program'
import { type ProgramNews, type ProgramTask, solveProgram } from '../../../web/src/run/model/program_solve'
import { bracketWords, endWords, gapOf, type Own, program, verdictOf } from '../../../web/src/state/model/program'
import { workbench } from '../../../web/src/state/workbench_cells'
import { FakeClient, statsOf } from '../support/fake'
import { openSmall } from '../support/model_fixture'
import { press, screen, stand } from '../support/stand'

const on = stand()
const unit = byteUnit(100)
let highs: Highs
beforeAll(async () => {
  highs = await load()
})

/** Three of five things, the cheapest. */
const PROGRAM = `minimize
 cost: 4 a + 7 b + 3 c + 9 d + 5 e
subject to
 some: a + b + c + d + e >= 3
binary
 a b c d e
end
`

function solved(text: string, patience = 10): ProgramNews[] {
  const news: ProgramNews[] = []
  solveProgram(highs, { text, patience }, (one) => news.push(one))
  return news
}

describe('HiGHS', () => {
  it('tells how large the program is, and its optimum', () => {
    const news = solved(PROGRAM)
    expect(news[0]).toEqual({ kind: 'read', size: { variables: 5, constraints: 1 } })
    expect(news.at(-1)).toMatchObject({ kind: 'ended', end: { status: 'optimal', best: 12, bound: 12 } })
  })

  it('tells that there is none', () => {
    expect(solved(PROGRAM.replace('>= 3', '>= 6')).at(-1)).toMatchObject({ end: { status: 'infeasible', best: null } })
  })

  it('tells what it knows when its time is over', () => {
    const end = solved(PROGRAM, 0).at(-1)
    expect(end).toMatchObject({ kind: 'ended', end: { status: 'time' } })
  })

  it('refuses what is no program', () => {
    expect(() => solved('minimize\n x\nsubject to\n c: x >= >= 1\nend\n')).toThrow()
  })
})

describe('what is said', () => {
  const end = { status: 'optimal' as const, best: 14, bound: 14, seconds: 1 }
  const proved: Own = { traffic: 14, proven: true }
  const verdict = (model: ProgramModel, change: object, own = proved) =>
    verdictOf(model, { ...end, ...change }, own, unit)

  it('is no more than is known', () => {
    expect(gapOf({ best: 12, bound: 8 })).toBeCloseTo(1 / 3)
    expect(gapOf({ best: 0, bound: 0 })).toBe(0)
    expect(bracketWords({ best: null, bound: null }, unit)).toBe('no plan yet')
    expect(bracketWords({ best: null, bound: 8 }, unit)).toBe('no plan yet, at least 8')
    expect(bracketWords({ best: 12, bound: 8 }, unit)).toBe('at most 12, at least 8: a gap of 33.33 %')
    expect(endWords(end, unit)).toBe('Optimal: 14 moved.')
    expect(endWords({ ...end, best: 0 }, unit)).toBe('Optimal: nothing moves.')
    expect(endWords({ ...end, status: 'time', bound: 7 }, unit)).toBe(
      'Out of time: at most 14, at least 7: a gap of 50.00 %.',
    )
    expect(endWords({ ...end, status: 'infeasible', best: null }, unit)).toBe('No plan fits.')
  })

  it('is whether both agree', () => {
    expect(verdict('addresses', {})).toEqual({ tone: 'ok', text: 'COSMA found the same.' })
    expect(verdict('addresses', { best: 12 }).tone).toBe('why')
    expect(verdict('capacity', { best: 12 }).text).toContain('With addresses COSMA moves 14')
    expect(verdict('addresses', { best: 16 }).tone).toBe('plain')
    expect(verdict('addresses', { status: 'time', bound: 8 }).text).toBe('COSMA proved 14.')
    expect(verdict('addresses', { status: 'time', bound: 15 }).tone).toBe('why')
    const none = { traffic: -1, proven: true }
    expect(verdict('addresses', { status: 'infeasible' }, none)).toEqual({ tone: 'ok', text: 'COSMA proved the same.' })
    expect(verdict('addresses', { status: 'infeasible' }).tone).toBe('why')
    expect(verdict('addresses', {}, { traffic: -1, proven: false }).text).toBe('COSMA found no plan in its time.')
  })
})

class Writer extends FakeClient {
  gone = 0
  override programText: string | null = PROGRAM
  override run(config: RunConfig): Promise<RunResult> {
    this.config = config
    const stats = statsOf(3, { cost: 12, lowerBound: 12, height: 15, outcome: 'optimal' })
    return Promise.resolve({ stats, best: null, conflict: [] } as unknown as RunResult)
  }
  override dispose(): void {
    this.gone += 1
  }
}

/** HiGHS itself, without a worker. */
class Here implements Solver {
  onmessage: Solver['onmessage'] = null
  onerror: Solver['onerror'] = null
  ended = false
  constructor(private readonly solves: (task: ProgramTask) => News[] = ({ text }) => solved(text)) {}
  postMessage(task: ProgramTask): void {
    for (const data of this.solves(task)) this.onmessage?.({ data } as MessageEvent<News>)
  }
  terminate(): void {
    this.ended = true
  }
}

function open(): void {
  act(() => {
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const source = { kind: 'model' as const, name: 'm', lowering: {}, from: { kind: 'file' as const, format: '' } }
    workbench.opened.set({ problem: small.problem, model: small.model, source, text: 'graph' })
    workbench.capacity.set(15)
  })
}

describe('the program on the page', () => {
  it('is solved, and agrees with our own search', async () => {
    open()
    const [client, solver] = [new Writer(), new Here()]
    on.show(<Program />)
    await act(() =>
      startProgram(
        'addresses',
        () => client,
        () => solver,
      ),
    )
    screen.getByText('Optimal: 12 moved.')
    screen.getByText('COSMA found the same.')
    screen.getByText(/5 variables, 1 constraints/)
    expect(client.config).toMatchObject({ solver: 'cosma', goal: 'traffic', capacity: 15, options: {} })
    expect(client.programs).toEqual([{ capacity: 15, model: 'addresses' }])
    expect([client.gone > 0, solver.ended]).toEqual([true, true])
    act(() => workbench.capacity.set(16))
    expect(program.get()).toBeNull()
  })

  it('of the given order is compared with that order', async () => {
    open()
    const client = new Writer()
    await startProgram(
      'gaps',
      () => client,
      () => new Here(),
    )
    expect(client.config?.options).toEqual({ schedule: 'file' })
    stopProgram()
  })

  it('is refused in words where it is too large, or HiGHS is not to be had', async () => {
    open()
    const client = new Writer()
    client.programText = null
    on.show(<Program />)
    await act(() => startProgram('addresses', () => client))
    screen.getByText(/^Too large/)
    const broken = new Here(() => [{ kind: 'broken', message: 'no such file' }])
    await act(() =>
      startProgram(
        'addresses',
        () => new Writer(),
        () => broken,
      ),
    )
    screen.getByText('no such file')
  })

  it('is given up at once', async () => {
    open()
    const solver = new Here(() => [{ kind: 'progress', seconds: 1, best: 20, bound: 5 }])
    on.show(<Program />)
    const asked = startProgram(
      'addresses',
      () => new Writer(),
      () => solver,
    )
    await on.settle()
    screen.getByText(/at most 20, at least 5: a gap of 75.00 %/)
    press('Stop')
    await asked
    expect(solver.ended).toBe(true)
    expect(program.get()).toBeNull()
  })
})
