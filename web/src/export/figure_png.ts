/** A figure in pixels. */
import { type FigureSpec, paintFigure } from './figure'

/** Canvases larger than this many pixels a side are refused by some browsers. */
export const MOST_SIDE = 8192

/** Onto a canvas of the figure's size times the scale. */
export function paintCanvas(canvas: HTMLCanvasElement, spec: FigureSpec, scale: number): void {
  canvas.width = Math.max(1, Math.round(spec.size.width * scale))
  canvas.height = Math.max(1, Math.round(spec.size.height * scale))
  const c = canvas.getContext('2d')
  if (c === null) throw new Error('This browser gives no canvas of that size.')
  c.setTransform(canvas.width / spec.size.width, 0, 0, canvas.height / spec.size.height, 0, 0)
  paintFigure(c, spec, scale)
}

export async function figurePng(spec: FigureSpec, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  // fonts that nothing on the page has used yet
  await document.fonts.ready
  paintCanvas(canvas, spec, scale)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png')
  })
}
