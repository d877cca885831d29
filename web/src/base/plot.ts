/** What a chart of measurements says, as data: the benches write it, the page and their files draw it. */

export interface Axis {
  title?: string
  log?: boolean
  /** where a linear axis is to begin and to end; left out: at the values */
  from?: number
  to?: number
}

/** dots: values by row, null: none. lines: points [x, y]; steps: a value holds until the next one. */
export type Plot =
  | { kind: 'dots'; title?: string; x: Axis; rows: string[]; series: { name: string; values: (number | null)[] }[] }
  | {
      kind: 'lines'
      title?: string
      x: Axis
      y: Axis
      steps?: boolean
      series: { name: string; points: [number, number][] }[]
    }
