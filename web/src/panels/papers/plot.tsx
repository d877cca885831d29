/** A chart of measurements on the page: the marks that its files have, in the page's colours. */
import type { Plot } from '../../base/plot'
import { chartMarks, type Palette } from '../../draw/papers/chart'
import type { Mark, Segment } from '../../draw/vector'

/** The rules of the style sheet say what they are. */
const PAGE: Palette = {
  text: 'var(--text-1)',
  dim: 'var(--text-2)',
  line: 'var(--line-2)',
  series: Array.from({ length: 9 }, (_, k) => `var(--series-${k})`),
}

const dataOf = (path: readonly Segment[]) =>
  path.map(([kind, ...at]) => `${kind}${at.map((v) => v.toFixed(2)).join(' ')}`).join('')

function Drawn({ mark }: { mark: Mark }) {
  if (mark.kind === 'text')
    return (
      <text
        class="plot-text"
        x={mark.x}
        y={mark.y}
        text-anchor={{ left: 'start', center: 'middle', right: 'end' }[mark.align]}
        style={{ fill: mark.colour }}
      >
        {mark.text}
      </text>
    )
  if (mark.kind !== 'path') return null
  return (
    <path
      d={dataOf(mark.path)}
      style={{ fill: mark.fill ?? 'none', stroke: mark.stroke?.colour ?? 'none', strokeWidth: mark.stroke?.width ?? 0 }}
    />
  )
}

export function PlotPicture({ plot, width, name }: { plot: Plot; width: number; name: string }) {
  const { marks, height } = chartMarks(plot, width, PAGE)
  return (
    <svg class="plot" role="img" aria-label={name} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {marks.map((mark, k) => (
        <Drawn key={k} mark={mark} />
      ))}
    </svg>
  )
}
