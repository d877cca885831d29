/** Shapes painted on a canvas: a picture in pixels of what was taken down as plain data. */
import { MONO, SANS } from '../base/theme'
import type { Shape, Segment, Stroke } from '../draw/vector'

type Canvas = CanvasRenderingContext2D

function trace(c: Canvas, path: readonly Segment[]): void {
  c.beginPath()
  for (const segment of path) {
    if (segment[0] === 'Z') c.closePath()
    else if (segment[0] === 'M') c.moveTo(segment[1], segment[2])
    else if (segment[0] === 'C') c.bezierCurveTo(segment[1], segment[2], segment[3], segment[4], segment[5], segment[6])
    else c.lineTo(segment[1], segment[2])
  }
}

function ink(c: Canvas, fill: string | null, stroke: Stroke | null): void {
  if (fill !== null) {
    c.fillStyle = fill
    c.fill()
  }
  if (stroke === null) return
  c.strokeStyle = stroke.colour
  c.lineWidth = stroke.width
  c.setLineDash([...stroke.dash])
  c.stroke()
}

export function paintShapes(c: Canvas, shapes: readonly Shape[]): void {
  for (const shape of shapes) {
    c.save()
    if (shape.kind === 'clip') {
      c.beginPath()
      c.rect(shape.rect.x, shape.rect.y, shape.rect.w, shape.rect.h)
      c.clip()
      paintShapes(c, shape.shapes)
    } else if (shape.kind === 'text') {
      const { family, size, weight } = shape.font
      c.globalAlpha = shape.alpha
      c.font = `${weight} ${size}px ${family === 'mono' ? MONO : SANS}`
      c.fillStyle = shape.colour
      c.textAlign = shape.align
      c.translate(shape.x, shape.y)
      if (shape.turned) c.rotate(-Math.PI / 2)
      c.fillText(shape.text, 0, 0)
    } else {
      c.globalAlpha = shape.alpha
      if (shape.kind === 'path') trace(c, shape.path)
      else {
        c.beginPath()
        c.rect(shape.rect.x, shape.rect.y, shape.rect.w, shape.rect.h)
      }
      ink(c, shape.fill, shape.stroke)
    }
    c.restore()
  }
}
