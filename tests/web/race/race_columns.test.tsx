/** Runs side by side: columns come and go, each says what became of it, and their results stand in a table. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { ClientError, type RunConfig } from '../../../wasm/client/types'
import { Lanes } from '../../../web/src/panels/race/race_columns'
import { LaneForm } from '../../../web/src/panels/race/race_column_form'
import { race as raceOfPage } from '../../../web/src/run/race/page_race'
import { type Others, Race } from '../../../web/src/run/race/race'
import { editing } from '../../../web/src/state/compare/compare'
import * as ui from '../../../web/src/state/ui'
import { deafCanvas } from '../support/deaf_canvas'
import { FakeClient, overview, statsOf } from '../support/fake'
import { tableRows } from '../support/grid'
import { control, fireEvent, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

deafCanvas()
const on = stand()
let clients: FakeClient[] = []
let race: Race

const config = (solver: string, more: Partial<RunConfig> = {}): RunConfig => ({
  solver,
  capacity: 12,
  seed: 1,
  budget: 1000,
  options: {},
  ...more,
})

const ILP: Others = {
  titleOf: (solver) => (solver === 'ilp' ? 'ILP (HiGHS)' : ''),
  run: async () => ({
    stats: statsOf(0, { outcome: 'feasible', height: 12, digest: '' }),
    overview,
    best: new Float64Array(5),
    conflict: [],
    note: '7 nodes, gap 0.00 %',
  }),
}

beforeEach(() => {
  clients = []
  workbench.capacity.set(12)
  const make = () => {
    const client = new FakeClient()
    client.hold = true
    clients.push(client)
    return client
  }
  race = new Race({ csv: 'id\n', profile: null }, { request: () => {}, cancel: () => {} }, make, ILP)
  race.add(config('exact'))
  race.add(config('minimalloc'))
  return () => {
    raceOfPage.set(null)
    race.dispose()
  }
})

const client = (k: number) => clients[k] as FakeClient
const column = (k: number) => screen.getByLabelText(new RegExp(`^Run ${k + 1}:`))
const said = (k: number) => column(k).textContent?.replace(/\s+/g, ' ') ?? ''
const names = () => screen.getAllByLabelText(/^Run \d/).map((one) => one.getAttribute('aria-label'))

async function start(): Promise<void> {
  on.show(<Lanes race={race} />)
  await on.settle()
  press('Race')
  await on.settle()
}

async function finish(k: number, ...stats: Parameters<typeof statsOf>): Promise<void> {
  client(k).finish(statsOf(...stats))
  await on.settle()
}

/** Chooses in the menu of a column. */
async function choose(k: number, item: string | RegExp): Promise<void> {
  fireEvent.click(column(k).querySelector('[aria-haspopup=menu]') as Element)
  await on.settle()
  fireEvent.click(screen.getByRole('menuitem', { name: item }))
  await on.settle()
}

async function addRun(solver: RegExp): Promise<void> {
  press('Add run')
  await on.settle()
  fireEvent.click(screen.getByRole('menuitem', { name: solver }))
  await on.settle()
}

describe('the columns', () => {
  it('say that they have not run, and run alone or all at once', async () => {
    on.show(<Lanes race={race} />)
    await on.settle()
    expect(said(0)).toContain('These settings have not been run.')
    fireEvent.click(column(1).querySelector('.lane-notice button') as Element)
    await on.settle()
    expect(clients.map(({ config }) => config?.solver)).toEqual([undefined, 'minimalloc'])
    await finish(1, 30)
    press('Race')
    await on.settle()
    expect(clients.map(({ config }) => config?.solver)).toEqual(['exact', 'minimalloc'])
  })

  it('tell of a run under way: steps, pace, how deep, and how much of the budget', async () => {
    await start()
    await act(() => client(0).progress(statsOf(400, { seconds: 0.2, maxDepth: 3, height: 15 }), null))
    expect(said(0)).toContain('400 steps 2 k steps/s deepest 3 of 5, best height 15')
    const bar = column(0).querySelector('progress') as HTMLProgressElement
    expect([bar.value, bar.max]).toEqual([400, 1000])
  })

  it('say which step of how many they show once they have ended', async () => {
    await start()
    await finish(0, 30, { outcome: 'infeasible', height: -1 })
    expect(said(0)).toContain('infeasible')
    expect(said(0)).toContain('step 30 of 30')
    expect(said(1)).toContain('running')
  })

  it('say why a run was lost, and run it again', async () => {
    await start()
    const lost = client(0)
    await act(async () => lost.fail(new ClientError('There is no more.', 'memory')))
    await on.settle()
    const alert = column(0).querySelector('[role=alert]')
    expect(alert?.textContent).toContain('Out of memory')
    expect(alert?.textContent).toContain('There is no more.')
    fireEvent.click(alert?.querySelector('button') as Element)
    await on.settle()
    expect(race.lanes.get()[0]?.run.get().kind).toBe('running')
  })

  it('are up to four, and one at least', async () => {
    on.show(<Lanes race={race} />)
    await on.settle()
    await addRun(/^MiniMalloc/)
    await addRun(/^Arenascope exact/)
    expect(names()).toEqual([
      'Run 1: Arenascope exact',
      'Run 2: MiniMalloc',
      'Run 3: MiniMalloc',
      'Run 4: Arenascope exact',
    ])
    expect(client(3).config).toMatchObject({ solver: 'exact', capacity: 12, budget: 1000 })
    expect(screen.queryByRole('button', { name: 'Add run' })).toBeNull()
    for (let k = 0; k < 3; k++) await choose(0, 'Remove')
    expect(names()).toEqual(['Run 1: Arenascope exact'])
    fireEvent.click(column(0).querySelector('[aria-haspopup=menu]') as Element)
    expect(screen.getByRole('menuitem', { name: 'Remove' })).toHaveProperty('disabled', true)
  })

  it('are of solvers that are not ours, too: a plan, nodes and gap, no steps and no page to open it in', async () => {
    on.show(<Lanes race={race} />)
    await on.settle()
    await addRun(/^ILP \(HiGHS\)/)
    expect(names().at(-1)).toBe('Run 3: ILP (HiGHS)')
    expect(said(2)).toContain('7 nodes, gap 0.00 %; no steps')
    expect(said(2)).toContain('feasible')
    const cells = [...document.querySelectorAll('.race-results tbody tr')].at(-1)?.textContent ?? ''
    expect(cells).toMatch(/ILP \(HiGHS\)7 nodes, gap 0.00 %.*––.*–$/)
    fireEvent.click(column(2).querySelector('[aria-haspopup=menu]') as Element)
    expect(screen.queryByRole('menuitem', { name: 'Open in the page' })).toBeNull()
  })

  it('are copied beside themselves', async () => {
    on.show(<Lanes race={race} />)
    await on.settle()
    await choose(0, 'Duplicate')
    expect(names()).toEqual(['Run 1: Arenascope exact', 'Run 2: Arenascope exact', 'Run 3: MiniMalloc'])
  })

  it('name what was changed from the defaults and from the page', async () => {
    race.lanes.get()[0]?.set(config('exact', { capacity: 20, seed: 3, goal: 'height' }))
    race.lanes.get()[1]?.set(config('minimalloc', { options: { dominance: 'false' } }))
    on.show(<Lanes race={race} />)
    await on.settle()
    expect(said(0)).toContain('minimise, capacity 20, seed 3')
    expect(said(1)).toContain('Dominance off')
  })

  it('are opened in the page with their settings', async () => {
    workbench.mode.set('compare')
    race.lanes.get()[0]?.set(config('exact', { capacity: 20, seed: 3 }))
    on.show(<Lanes race={race} />)
    await on.settle()
    await choose(0, 'Open in the page')
    expect(workbench.mode.get()).toBe('search')
    expect(on.client.config).toMatchObject({ solver: 'exact', capacity: 20, seed: 3, budget: 1000 })
  })
})

describe('the race', () => {
  it('is cancelled by its button, and by Esc, which leads back once nothing runs', async () => {
    workbench.mode.set('compare')
    await start()
    press(/^Cancel/)
    await on.settle()
    expect(race.lanes.get().map((lane) => lane.run.get().kind)).toEqual(['cancelled', 'cancelled'])
    press('Race')
    await on.settle()
    expect(ui.modeKeys.get()?.('Escape')).toBe(true)
    await on.settle()
    expect(race.running).toBe(false)
    expect(workbench.mode.get()).toBe('compare')
    ui.modeKeys.get()?.('Escape')
    expect(workbench.mode.get()).toBe('search')
  })

  it('is played under one playhead once it is over', async () => {
    await start()
    expect(control('button', 'Step back')).toHaveProperty('disabled', true)
    await finish(0, 30)
    await finish(1, 10)
    expect(screen.getByText('of all runs').parentElement?.textContent).toBe('end of all runs')
    press('Step back')
    await on.settle()
    expect(race.lanes.get().map((lane) => lane.cursor.get())).toEqual([29, 10])
    press('Start')
    await on.settle()
    screen.getByText('of 30 steps')
    expect(control('button', 'Start')).toHaveProperty('disabled', true)
    press('Share of the run')
    await on.settle()
    screen.getByText('of each run')
  })
})

describe('the table of a race', () => {
  it('has a row for each run, with what became of it', async () => {
    await start()
    await finish(0, 1500, { height: 15, backtracks: 4, digest: 'abcd0000000012ef' })
    await finish(1, 90, { outcome: 'budget-spent', height: -1 })
    const rows = tableRows('Results')
    expect(rows[0]).toEqual([
      'Arenascope exact',
      'default options',
      'optimal',
      '15',
      '3',
      '25.00 %',
      '1,500',
      '4',
      '1.0 ms',
      'abcd 12ef',
    ])
    expect(rows[1]?.slice(2, 6)).toEqual(['budget-spent', '–', '–', '–'])
  })

  it('says that it runs, then who was first', async () => {
    await start()
    const news = () => document.querySelector('.race-news')?.textContent
    expect(news()).toContain('Running…')
    await finish(0, 30)
    expect(news()).toContain('Running…')
    await finish(1, 30)
    expect(news()).toMatch(/Arenascope exact|MiniMalloc/)
    expect(news()).not.toContain('Running…')
  })

  it('leaves the settings to the columns on a phone', async () => {
    ui.width.set('phone')
    on.show(<Lanes race={race} />)
    await on.settle()
    expect(screen.queryByRole('columnheader', { name: 'Settings' })).toBeNull()
    control('columnheader', 'Outcome')
  })
})

describe('the settings of a column', () => {
  const open = () => {
    raceOfPage.set(race)
    editing.set(race.lanes.get()[0]?.id ?? -1)
    ui.dialog.set('race-column')
    on.show(<LaneForm />)
  }
  const capacity = () => screen.getByLabelText('Capacity')

  it('are reached from its menu', async () => {
    on.show(<Lanes race={race} />)
    await on.settle()
    await choose(1, 'Settings…')
    expect(ui.dialog.get()).toBe('race-column')
    expect(editing.get()).toBe(race.lanes.get()[1]?.id)
  })

  it('are run with once they are taken, and not before', async () => {
    open()
    type(capacity(), '20')
    fireEvent.blur(capacity())
    fireEvent.change(screen.getByLabelText('Solver'), { target: { value: 'minimalloc' } })
    expect(race.lanes.get()[0]?.config.get()).toEqual(config('exact'))
    press('Run with these')
    await on.settle()
    expect(client(0).config).toMatchObject({ solver: 'minimalloc', capacity: 20 })
    expect(ui.dialog.get()).toBe('none')
  })

  it('stay as they were when they are left', () => {
    open()
    type(capacity(), '20')
    fireEvent.blur(capacity())
    press('Leave as it was')
    expect(race.lanes.get()[0]?.config.get()).toEqual(config('exact'))
    expect(ui.dialog.get()).toBe('none')
  })

  it('are not taken while a field holds no value: it has the focus then', () => {
    open()
    type(capacity(), 'much')
    fireEvent.blur(capacity())
    press('Run with these')
    expect(document.activeElement).toBe(capacity())
    expect(client(0).config).toBeNull()
    expect(ui.dialog.get()).toBe('race-column')
  })

  it('say that a run is gone', () => {
    raceOfPage.set(race)
    editing.set(99)
    on.show(<LaneForm />)
    screen.getByText('This run is gone.')
  })
})
