/** A chart of a bench as SVG, by the page's own. */
import { figureSvg } from '../../../web/src/export/figure/figure_svg'
import type { Plot } from '../../../web/src/base/plot'
import { chartShapes, PRINTED } from '../../../web/src/draw/papers/chart'

const UNIT = 25.4 / 96
const WIDTH = 720

export function chartSvg(chart: Plot, title: string): string {
  const { shapes, height } = chartShapes(chart, WIDTH, PRINTED)
  const size = { width: WIDTH, height, unit: UNIT }
  return [...figureSvg({ title, description: title, shapes, size })].join('')
}
