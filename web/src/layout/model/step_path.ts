/** A step function of time as the path of a small chart, with no more corners than it has pixels to show them. */

export interface Steps {
  count: number
  lower: ArrayLike<number>
  upper: ArrayLike<number>
}

export interface ChartBox {
  t0: number
  t1: number
  /** value at the upper edge; the lower one is 0 */
  top: number
  width: number
  height: number
}

/** The greatest value in each pixel column, so that no peak is lost. O(steps + width). */
export function columnMaxima(steps: Steps, values: ArrayLike<number>, box: ChartBox): Float64Array {
  const columns = Math.max(1, Math.round(box.width))
  const made = new Float64Array(columns)
  const scale = columns / Math.max(1, box.t1 - box.t0)
  for (let s = 0; s < steps.count; s++) {
    const from = Math.max(0, Math.floor(((steps.lower[s] ?? 0) - box.t0) * scale))
    const to = Math.max(from + 1, Math.ceil(((steps.upper[s] ?? 0) - box.t0) * scale - 1e-9))
    for (let x = from; x < Math.min(columns, to); x++) made[x] = Math.max(made[x] ?? 0, values[s] ?? 0)
  }
  return made
}

/** closed: down to the ground at both ends, to be filled. */
export function stepPath(steps: Steps, values: ArrayLike<number>, box: ChartBox, closed: boolean): string {
  const maxima = columnMaxima(steps, values, box)
  const y = (value: number) => Number((box.height - Math.min(1, value / box.top) * box.height).toFixed(2))
  let path = closed ? `M0 ${box.height}V${y(maxima[0] ?? 0)}` : `M0 ${y(maxima[0] ?? 0)}`
  let last = maxima[0] ?? 0
  maxima.forEach((value, x) => {
    if (value === last) return
    path += `H${x}V${y(value)}`
    last = value
  })
  path += `H${maxima.length}`
  return closed ? `${path}V${box.height}Z` : path
}
