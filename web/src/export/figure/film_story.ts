/** Under each picture of a film: the step in words, and where it is in the search. */
import { SERIF, tokens } from '../../base/theme'
import { minorRule } from '../../layout/step/fate'
import type { SearchScene } from '../../layout/scene'
import { deepestOf, isShort, traceColumns } from '../../layout/search/trace'
import { type Ctx, text } from '../../draw/primitives'
import {
  paintColumns,
  paintFrameLines,
  paintRestartsAndPlans,
  paintPlayhead,
  paintStairs,
  paintUndone,
  type TracePlate,
} from '../../draw/search/paint_trace'

const LINE = 22
const LINES = 2
/** As in the picture above: where time begins, and what is left free at its end. */
const [LEFT, RIGHT] = [76, 14]

/** Words in lines of a width; what has no room ends in dots. O(words). */
function wrapped(c: Ctx, words: string, width: number): string[] {
  const lines = ['']
  for (const word of words.split(' ')) {
    const line = lines[lines.length - 1] ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (c.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else if (lines.length < LINES) lines.push(word)
    else {
      lines[lines.length - 1] = `${line} …`
      break
    }
  }
  return lines
}

/** Into the band from y to the height of the canvas, in its units. */
export function paintStory(
  c: Ctx,
  size: { width: number; height: number },
  y: number,
  words: string,
  search: SearchScene,
): void {
  const theme = tokens[search.theme]
  c.fillStyle = theme.well
  c.fillRect(0, y, size.width, size.height - y)
  const font = `400 16px ${SERIF}`
  c.font = font
  wrapped(c, words, size.width - LEFT - RIGHT).forEach((line, k) => {
    text(c, line, LEFT, y + 16 + k * LINE, font, theme.text1)
  })
  if (search.beam !== undefined || search.steps === 0) return
  const top = y + LINES * LINE + 16
  const short = isShort(search)
  const end = size.height - 8
  const zero = short ? end - 4 : Math.round((top + end) / 2)
  const plate: TracePlate = {
    x: LEFT,
    w: size.width - LEFT - RIGHT,
    most: deepestOf(search.overview),
    top,
    zero,
    below: zero + 3,
    end,
    axis: search.steps,
    dpr: 1,
  }
  paintFrameLines(c, plate, theme)
  if (short) paintStairs(c, plate, search, theme)
  else {
    const minor = search.overview.rules[minorRule(search.manifest)]
    const columns = traceColumns(search.overview, search.steps, plate.axis, Math.round(plate.w), minor)
    paintColumns(c, plate, columns, search, theme)
    paintUndone(c, plate, columns, search, theme)
  }
  paintRestartsAndPlans(c, plate, search, theme, false)
  // its flag begins at the top of the canvas it is painted on
  c.save()
  c.translate(0, top - 14)
  paintPlayhead(c, { ...plate, top: 14 }, end - top + 14, search.cursor, theme)
  c.restore()
}
