/** Marks painted on a canvas: a picture in pixels of what was taken down as plain data. */
import { MONO, SANS } from '../base/theme'
import type { Mark, Segment, Stroke } from '../draw/vector'

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

export function paintMarks(c: Canvas, marks: readonly Mark[]): void {
  for (const mark of marks) {
    c.save()
    if (mark.kind === 'clip') {
      c.beginPath()
      c.rect(mark.rect.x, mark.rect.y, mark.rect.w, mark.rect.h)
      c.clip()
      paintMarks(c, mark.marks)
    } else if (mark.kind === 'text') {
      const { family, size, weight } = mark.font
      c.globalAlpha = mark.alpha
      c.font = `${weight} ${size}px ${family === 'mono' ? MONO : SANS}`
      c.fillStyle = mark.colour
      c.textAlign = mark.align
      c.translate(mark.x, mark.y)
      if (mark.turned) c.rotate(-Math.PI / 2)
      c.fillText(mark.text, 0, 0)
    } else {
      c.globalAlpha = mark.alpha
      if (mark.kind === 'path') trace(c, mark.path)
      else {
        c.beginPath()
        c.rect(mark.rect.x, mark.rect.y, mark.rect.w, mark.rect.h)
      }
      ink(c, mark.fill, mark.stroke)
    }
    c.restore()
  }
}
