/** A chart or a table of the page as a file: SVG, PNG, TikZ. */
import type { Shape } from '../draw/vector'
import type { Figure } from './figure/figure'
import { figureSvg } from './figure/figure_svg'
import { figureTikz } from './figure/figure_tikz'
import { saveBlob, saveWritten } from './files'
import { paintShapes } from './paint_shapes'

export type ChartForm = 'svg' | 'png' | 'tex'

/** Of shapes in CSS pixels. */
export interface Chart {
  title: string
  shapes: readonly Shape[]
  width: number
  height: number
}

const UNIT = 25.4 / 96
/** Device pixels of a CSS pixel, and of a side, which some browsers do not exceed. */
const SCALE = 2
const MOST_SIDE = 8192

async function png({ shapes, width, height }: Chart): Promise<Blob> {
  const scale = Math.min(SCALE, MOST_SIDE / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const c = canvas.getContext('2d')
  if (c === null) throw new Error('This browser gives no canvas of that size.')
  await document.fonts.ready
  c.scale(scale, scale)
  paintShapes(c, shapes)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png')
  })
}

/** name: of the file, without an ending */
export async function saveChart(chart: Chart, form: ChartForm, name: string): Promise<void> {
  if (form === 'png') {
    saveBlob(await png(chart), `${name}.png`)
    return
  }
  const { title, shapes, width, height } = chart
  const figure: Figure = { title, description: title, shapes, size: { width, height, unit: UNIT } }
  const file = `${name}.${form}`
  if (form === 'svg') await saveWritten(figureSvg(figure), file, 'image/svg+xml')
  else await saveWritten(figureTikz(figure), file, 'text/x-tex')
}
