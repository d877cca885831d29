/** A figure in pixels. */
import { ALWAYS, type Pause, pausesWhile, inSlices } from '../../base/slices'
import { type FigurePlan, paintFigure } from './figure'

/** Canvases larger than this many pixels a side are refused by some browsers. */
export const MOST_SIDE = 8192

/** Onto a canvas, which becomes as large as the figure times the scale. */
export async function paintCanvas(
  canvas: HTMLCanvasElement,
  plan: FigurePlan,
  scale: number,
  pause: Pause,
): Promise<void> {
  const { size } = plan.spec
  canvas.width = Math.max(1, Math.round(size.width * scale))
  canvas.height = Math.max(1, Math.round(size.height * scale))
  const c = canvas.getContext('2d')
  if (c === null) throw new Error('This browser gives no canvas of that size.')
  c.setTransform(canvas.width / size.width, 0, 0, canvas.height / size.height, 0, 0)
  await inSlices(paintFigure(c, plan, scale), pause)
}

export async function figurePng(plan: FigurePlan, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  // fonts that nothing on the page has used yet
  await document.fonts.ready
  await paintCanvas(canvas, plan, scale, pausesWhile(ALWAYS))
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png')
  })
}
