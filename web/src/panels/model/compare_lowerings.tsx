/** Two ways to lower the same graph side by side: loads, budgets, heights by one solver, load profiles over each other. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { GraphModel, Problem, SolverInfo } from '../../../../wasm/client/types'
import { bytesIn, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { timeExtent } from '../../layout/canvas/spaces'
import { stepPath } from '../../layout/model/step_path'
import { compareWays, type Way, type WayResult } from '../../run/model/compare_lowerings'
import { manifest } from '../../state/atoms'
import { solverInfo, unit, budget, capacity, opened, options, profile, seed } from '../../state/workbench'
import type { Column } from '../../state/compare/table'
import { useActions } from '../page/context'
import { CopyTable } from '../controls/data_table'
import { OptionForm } from '../controls/option_form'
import { OutcomePill } from '../controls/pill'
import '../../styles/later'

const CHART = { width: 640, height: 96 }
type Lowering = Record<string, string>
type Results = [WayResult | null, WayResult | null]

const wayOf = (result: WayResult | null): Way | null => (result?.ok === true ? result.way : null)

function Profiles({ a, b }: { a: Problem; b: Problem | null }) {
  const extents = [a, b].flatMap((problem) => (problem === null ? [] : [timeExtent(problem)]))
  const t0 = Math.min(...extents.map(([from]) => from))
  const t1 = Math.max(...extents.map(([, to]) => to))
  const top = Math.max(1, a.lowerBound, b?.lowerBound ?? 0)
  const path = (problem: Problem, closed: boolean) =>
    stepPath(problem.sections, problem.sections.load, { t0, t1, top, ...CHART }, closed)
  return (
    <svg
      class="lowerings-chart"
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Load over time, both ways"
    >
      <path class="chart-load" d={path(a, true)} />
      {b !== null && <path class="chart-other" d={path(b, false)} />}
    </svg>
  )
}

interface RowProps {
  name: string
  title?: string
  ways: [Way | null, Way | null]
  value: (way: Way) => number
  shown: (value: number) => string
}

/** A number of each way, and by how much the second differs. */
function Row({ name, title, ways, value, shown }: RowProps) {
  const [a, b] = ways.map((way) => (way === null ? null : value(way)))
  const known = (v: number | null | undefined): v is number => v !== null && v !== undefined && v >= 0
  const both = known(a) && known(b)
  const by = both && a > 0 ? b / a - 1 : 0
  return (
    <tr title={title}>
      <th scope="row">{name}</th>
      <td>{known(a) ? shown(a) : '–'}</td>
      <td>{known(b) ? shown(b) : '–'}</td>
      <td class={by < 0 ? 'ok' : 'dim'}>{!both || by === 0 ? '' : `${by > 0 ? '+' : '−'}${percent(Math.abs(by))}`}</td>
    </tr>
  )
}

interface Line {
  name: string
  ways: [number | string | null, number | string | null]
}

/** What the table says, to take along. */
function linesOf(ways: [Way | null, Way | null]): Line[] {
  const line = (name: string, value: (way: Way) => number | string): Line => ({
    name,
    ways: ways.map((way) => (way === null ? null : value(way))) as Line['ways'],
  })
  return [
    line('Buffers', (way) => way.problem.count),
    line('Peak load', (way) => way.problem.lowerBound),
    line('One operator needs', (way) => way.model.budgets.required),
    line('Half way', (way) => way.model.budgets.half),
    line('Best known order', (way) => way.model.budgets.peak),
    line('Height', (way) => (way.stats.height < 0 ? '–' : way.stats.height)),
    line('Outcome', (way) => way.stats.outcome),
  ]
}

const LINES: Column<Line>[] = [
  { id: 'quantity', title: 'Bytes', number: false, value: ({ name }) => name, shown: ({ name }) => name },
  ...['First', 'Second'].map((title, k): Column<Line> => {
    const value = ({ ways }: Line) => ways[k] ?? null
    return { id: title.toLowerCase(), title, number: true, value, shown: (line) => String(value(line) ?? '–') }
  }),
]

function Table({ results }: { results: Results }) {
  const amounts = useValue(unit)
  const ways: [Way | null, Way | null] = [wayOf(results[0]), wayOf(results[1])]
  const size = (n: number) => bytesIn(n, amounts)
  const budgetRow = (key: keyof GraphModel['budgets'], name: string, title: string) => (
    <Row name={name} title={title} ways={ways} value={(way) => way.model.budgets[key]} shown={size} />
  )
  const cell = (way: Way | null): ComponentChildren =>
    way === null ? '–' : <OutcomePill outcome={way.stats.outcome} />
  return (
    <table class="lowerings-table">
      <thead>
        <tr>
          <td />
          <th scope="col">First</th>
          <th scope="col">Second</th>
          <td />
        </tr>
      </thead>
      <tbody>
        <Row name="Buffers" ways={ways} value={(way) => way.problem.count} shown={thousands} />
        <Row name="Peak load" ways={ways} value={(way) => way.problem.lowerBound} shown={size} />
        {budgetRow('required', 'One operator needs', 'M_R of COSMA')}
        {budgetRow('half', 'Half way', 'M_H of COSMA')}
        {budgetRow('peak', 'Best known order', 'M_P of COSMA')}
        <Row name="Height" ways={ways} value={(way) => way.stats.height} shown={size} />
        <tr>
          <th scope="row">Outcome</th>
          <td>{cell(ways[0])}</td>
          <td>{cell(ways[1])}</td>
          <td />
        </tr>
      </tbody>
    </table>
  )
}

/** Asks the worker whenever an option of either way changes. */
function useContest(
  lowerings: [Lowering, Lowering],
  solver: SolverInfo | undefined,
): { results: Results; busy: boolean; wrong: string } {
  const now = useValue(opened)
  const [results, setResults] = useState<Results>([null, null])
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const key = JSON.stringify(lowerings)
  useEffect(() => {
    if (now?.model === undefined || now.text instanceof Blob || solver === undefined) return
    const end = new AbortController()
    const contest = {
      graph: now.text,
      profile: profile.get(),
      solver: solver.id,
      goal: solver.goals.includes('height') ? ('height' as const) : ('fit' as const),
      options: options.get()[solver.id] ?? {},
      capacity: capacity.get(),
      seed: seed.get(),
      budget: budget.get(),
    }
    setBusy(true)
    setWrong('')
    const told = (index: number, result: WayResult) => setResults(([a, b]) => (index === 0 ? [result, b] : [a, result]))
    compareWays(contest, lowerings, told, end.signal)
      .catch((error: unknown) => setWrong(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        if (!end.signal.aborted) setBusy(false)
      })
    return () => end.abort()
  }, [now, solver, key])
  return { results, busy, wrong }
}

function Side({
  name,
  id,
  values,
  set,
}: {
  name: string
  id: string
  values: Lowering
  set: (next: Lowering) => void
}) {
  const table = useValue(manifest)?.graphOptions ?? []
  const change = (option: string, value: string) => {
    const { [option]: _, ...others } = values
    const initial = table.find((one) => one.name === option)?.initial
    set(value === initial ? others : { ...others, [option]: value })
  }
  return (
    <fieldset class="lowerings-side">
      <legend>{name}</legend>
      <OptionForm id={id} options={table} values={values} set={change} />
    </fieldset>
  )
}

export function CompareLowerings() {
  const actions = useActions()
  const now = useValue(opened)
  const solvers = useValue(manifest)?.solvers ?? []
  const [chosen, choose] = useState(solverInfo.get()?.id ?? '')
  const solver = solvers.find((info) => info.id === chosen)
  const open = now?.source.kind === 'model' ? now.source.lowering : {}
  const [first, setFirst] = useState<Lowering>(open)
  const [second, setSecond] = useState<Lowering>(open)
  const { results, busy, wrong } = useContest([first, second], solver)
  if (now?.model === undefined) return <p class="hint">Open a model first.</p>
  const [a, b] = results
  const same = JSON.stringify(first) === JSON.stringify(second)
  const use = (lowering: Lowering) => {
    actions.page.openDialog('none')
    void actions.model.lower(lowering)
  }
  const errors = results.flatMap((result) => (result?.ok === false ? result.errors : []))
  return (
    <div class="lowerings">
      <div class="row row-wrap">
        <label class="lowerings-solver">
          <span class="dim">Solver</span>
          <select class="bare-select" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
            {solvers.map((info) => (
              <option key={info.id} value={info.id}>
                {info.title}
              </option>
            ))}
          </select>
        </label>
        <span class="spring" />
        <ul class="legend">
          <li class="legend-load">load, first</li>
          <li class="legend-other">load, second</li>
        </ul>
      </div>
      {a?.ok === true && <Profiles a={a.way.problem} b={b?.ok === true ? b.way.problem : null} />}
      <Table results={results} />
      <div class="row lowerings-copy">
        <CopyTable columns={LINES} rows={linesOf([wayOf(a), wayOf(b)])} file="arenascope.lowerings" />
      </div>
      <p class="hint" role="status">
        {busy ? 'Solving…' : same ? 'Both are the same so far: change an option of either.' : ''}
      </p>
      {wrong !== '' && (
        <p class="why" role="alert">
          {wrong}
        </p>
      )}
      {errors.map((error, k) => (
        <p key={k} class="why">
          {error.field} {error.message}
        </p>
      ))}
      <div class="lowerings-sides">
        <Side name="First" id="lowerings-first" values={first} set={setFirst} />
        <Side name="Second" id="lowerings-second" values={second} set={setSecond} />
      </div>
      <div class="row">
        <button type="button" class="button" onClick={() => use(first)}>
          Use the first
        </button>
        <button type="button" class="button primary" onClick={() => use(second)}>
          Use the second
        </button>
      </div>
    </div>
  )
}
