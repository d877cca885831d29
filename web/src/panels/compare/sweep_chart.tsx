// biome-ignore-all lint/a11y/useSemanticElements: a group that the arrows walk through
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: and so it takes the focus
/** The sweep as a picture: a line for each solver, a glyph for each outcome; the pointer or the arrows read a run, a click opens it. */
import { useState } from 'preact/hooks'
import { exactly, seconds, thousands } from '../../base/format'
import { useSize } from '../../base/use_size'
import { useValue } from '../../base/use_value'
import {
  dotAt,
  dotBeside,
  linesOf,
  placesOf,
  type SweepChart,
  type SweepDot,
  sweepChart,
} from '../../layout/compare/sweep_chart'
import type { Sweep, SweepPoint } from '../../run/compare/sweep'
import { manifest } from '../../state/atoms'
import { unit } from '../../state/workbench'
import { titleOf } from '../../state/compare/others'
import { outcomeTitle } from '../../state/compare/results'
import { GlyphMark, glyphOf } from '../controls/glyphs'

/** The runs that are known, solver by solver, with what they are plotted by. */
export function dotsOf(sweep: Sweep, shows: 'height' | 'steps'): { dots: SweepDot[]; points: SweepPoint[] } {
  const points = sweep.points.filter((point) => point !== null)
  const dots = points.map(({ solver, capacity, cell }): SweepDot => {
    const value = shows === 'steps' ? cell.steps : cell.height
    return { series: sweep.solvers.indexOf(solver), x: capacity, y: value < 0 ? null : value }
  })
  return { dots, points }
}

function Rulers({ chart, sweep, shows }: { chart: SweepChart; sweep: Sweep; shows: 'height' | 'steps' }) {
  const { plate } = chart
  const bottom = plate.y + plate.h
  const bound = chart.x(Math.max(1, sweep.lowerBound))
  const name = chart.unit.name
  return (
    <g>
      {chart.yTicks.map(({ value, label }) => (
        <g key={value}>
          <path class="chart-grid" d={`M${plate.x} ${chart.y(value).toFixed(1)}h${plate.w}`} />
          <text class="chart-tick" x={plate.x - 9} y={chart.y(value) + 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      <path class="chart-bound" d={`M${bound} ${plate.y}V${chart.rail + 8}`} />
      <path class="chart-axis" d={`M${plate.x - 0.5} ${plate.y}V${bottom + 0.5}H${plate.x + plate.w}`} />
      {chart.xTicks.map(({ value, label }) => (
        <text key={value} class="chart-tick" x={chart.x(value)} y={chart.rail + 24} text-anchor="middle">
          {label}
        </text>
      ))}
      <text class="chart-tick" x={plate.x - 9} y={chart.rail + 4} text-anchor="end">
        {shows === 'height' ? 'no plan' : ''}
      </text>
      <text class="chart-tick" x={plate.x - 9} y={chart.rail + 24} text-anchor="end">
        {name === '' ? 'bytes' : name}
      </text>
      <text
        class="chart-tick"
        x={shows === 'steps' ? 6 : plate.x - 9}
        y={plate.y - 14}
        text-anchor={shows === 'steps' ? 'start' : 'end'}
      >
        {shows === 'steps' ? 'steps, log' : name || 'height'}
      </text>
    </g>
  )
}

/** Advance of the letters of a tick, and what goes beside a name. */
const LETTER = 6.6
const KEY = { line: 14, gap: 6, between: 18 }

/** Which hue is whose, above the plate from the right, where there is room for all. */
function Names({ chart, sweep }: { chart: SweepChart; sweep: Sweep }) {
  const known = useValue(manifest)
  const names = sweep.solvers.map((id) => titleOf(known?.solvers ?? [], id))
  const wide = names.map((name) => KEY.line + KEY.gap + name.length * LETTER + KEY.between)
  const { plate } = chart
  const all = wide.reduce((sum, w) => sum + w, 0)
  if (all > plate.w - 60) return null
  let x = plate.x + plate.w - all
  return (
    <g>
      {names.map((name, k) => {
        const at = x
        x += wide[k] ?? 0
        return (
          <g key={name} class="series" style={{ '--hue': `var(--series-${k % 8})` }}>
            <path class="series-line" d={`M${at} ${plate.y - 18}h${KEY.line}`} />
            <text class="chart-tick" x={at + KEY.line + KEY.gap} y={plate.y - 14}>
              {name}
            </text>
          </g>
        )
      })}
    </g>
  )
}

function useReadout(sweep: Sweep): (point: SweepPoint) => string {
  const known = useValue(manifest)
  const amounts = useValue(unit)
  return ({ solver, capacity, cell }) => {
    const name = titleOf(known?.solvers ?? [], solver)
    const share = sweep.lowerBound > 0 ? ` (${((capacity / sweep.lowerBound) * 100).toFixed(1)} % of the bound)` : ''
    const height = cell.height < 0 ? '' : `, height ${exactly(cell.height, amounts)}`
    const effort = cell.steps < 0 ? '' : `, ${thousands(cell.steps)} steps in ${seconds(cell.seconds)}`
    const note = cell.note === '' ? '' : `: ${cell.note}`
    const outcome = outcomeTitle(known?.outcomes ?? [], cell.outcome)
    return `${name} at ${exactly(capacity, amounts)}${share}: ${outcome}${note}${height}${effort}`
  }
}

export function SweepPicture(props: { sweep: Sweep; shows: 'height' | 'steps'; open: (point: SweepPoint) => void }) {
  const { sweep, shows } = props
  const { host, size } = useSize()
  const [at, setAt] = useState(-1)
  const read = useReadout(sweep)
  const { dots, points } = dotsOf(sweep, shows)
  const range = { low: sweep.capacities[0] ?? 1, high: sweep.capacities.at(-1) ?? 1, bound: sweep.lowerBound }
  const chart = sweepChart(dots, range, size, shows === 'steps')
  const places = placesOf(chart, dots)
  const dot = places[at]
  const point = points[at]
  const near = (event: MouseEvent) => {
    const box = host.current?.getBoundingClientRect()
    return box === undefined ? -1 : dotAt(places, event.clientX - box.left, event.clientY - box.top)
  }
  const onKey = (event: KeyboardEvent) => {
    if (/^Arrow/.test(event.key)) setAt(dotBeside(dots, at, event.key))
    else if (event.key === 'Enter' && point !== undefined) props.open(point)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div
        class="sweep-chart"
        ref={host}
        role="group"
        aria-label={`${shows === 'steps' ? 'Steps' : 'Height'} over capacity. The arrows read the runs, Enter opens one.`}
        tabIndex={0}
        onPointerMove={(event) => setAt(near(event))}
        onPointerLeave={() => setAt(-1)}
        onClick={(event) => {
          const hit = points[near(event)]
          if (hit !== undefined) props.open(hit)
        }}
        onKeyDown={onKey}
      >
        <svg class="sweep-figure" width={size.width} height={size.height} aria-hidden="true">
          <Rulers chart={chart} sweep={sweep} shows={shows} />
          <Names chart={chart} sweep={sweep} />
          {sweep.solvers.map((id, k) => (
            <g key={id} class="series" style={{ '--hue': `var(--series-${k % 8})` }}>
              <path class="series-line" d={linesOf(chart, dots, k)} />
              {dots.map((one, j) =>
                one.series === k ? (
                  <GlyphMark
                    key={j}
                    glyph={glyphOf(points[j]?.cell.outcome ?? 'running')}
                    x={places[j]?.x ?? 0}
                    y={places[j]?.y ?? 0}
                  />
                ) : null,
              )}
            </g>
          ))}
          {dot !== undefined && <circle class="dot-now" cx={dot.x} cy={dot.y} r={9} />}
        </svg>
      </div>
      <p class="sweep-read mono" role="status">
        {point === undefined ? 'Point at a run to read it, click to open it in the page.' : read(point)}
      </p>
    </>
  )
}
