/** A chart of measurements on the page: the shapes that its files have, in the page's colours. */
import type { Plot } from '../../base/plot'
import { chartShapes, type ChartColours } from '../../draw/papers/chart'
import type { Shape, Segment } from '../../draw/vector'

/** The rules of the style sheet say what they are. */
const PAGE: ChartColours = {
  text: 'var(--text-1)',
  dim: 'var(--text-2)',
  line: 'var(--line-2)',
  series: Array.from({ length: 9 }, (_, k) => `var(--series-${k})`),
}

const dataOf = (path: readonly Segment[]) =>
  path.map(([kind, ...at]) => `${kind}${at.map((v) => v.toFixed(2)).join(' ')}`).join('')

function Drawn({ shape }: { shape: Shape }) {
  if (shape.kind === 'text')
    return (
      <text
        class="plot-text"
        x={shape.x}
        y={shape.y}
        text-anchor={{ left: 'start', center: 'middle', right: 'end' }[shape.align]}
        style={{ fill: shape.colour }}
      >
        {shape.text}
      </text>
    )
  if (shape.kind !== 'path') return null
  return (
    <path
      d={dataOf(shape.path)}
      style={{
        fill: shape.fill ?? 'none',
        stroke: shape.stroke?.colour ?? 'none',
        strokeWidth: shape.stroke?.width ?? 0,
      }}
    />
  )
}

export function PlotPicture({ plot, width, name }: { plot: Plot; width: number; name: string }) {
  const { shapes, height } = chartShapes(plot, width, PAGE)
  return (
    <svg class="plot" role="img" aria-label={name} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {shapes.map((shape, k) => (
        <Drawn key={k} shape={shape} />
      ))}
    </svg>
  )
}
