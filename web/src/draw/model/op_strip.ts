/** The operators under the canvas, on its time axis: what runs when, what makes and what reads the buffer that is looked at. */
import type { Rect } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { SANS, type Tokens, tokens } from '../../base/theme'
import { type OpBlock, opAt, opBlocks, visibleOps } from '../../layout/model/op_blocks'
import type { Operators, OpMarks, OpStripApi, OpStripCallbacks, Scene, Viewport } from '../../layout/scene'
import { gutterLeft, gutterRight, Space } from '../../layout/canvas/spaces'
import { type Ctx, outline } from '../primitives'
import { type BufferColours, coloursOf, type Swatch } from '../buffer_colours'
import { Surface } from '../surface'

const TOP = 6
const HEIGHT = 14
const FONT = `11px ${SANS}`
/** Blocks narrower than this, in CSS pixels, touch each other: a gap would eat them up. */
const PARTED = 3
/** A dashed outline needs this much width to read as one; narrower blocks get a bar under them. */
const DASHED = 10
/** So wide an operator has room for a mark with a direction. */
const MARKED = 6
const NO_MARKS: OpMarks = { current: -1, makes: [], reads: [] }

export class OpStrip implements OpStripApi {
  private readonly surface: Surface
  private readonly end = new AbortController()
  private scene: Scene | null = null
  private viewport: Viewport | null = null
  private marks = NO_MARKS
  private readonly paint: () => void

  constructor(
    host: HTMLElement,
    private readonly on: OpStripCallbacks,
  ) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Operators', focusable: true }, () =>
      onFrame('paint', this.paint),
    )
    this.listen()
  }

  update(scene: Scene, viewport: Viewport, marks: OpMarks): void {
    this.scene = scene
    this.viewport = viewport
    this.marks = marks
    this.describe()
    onFrame('paint', this.paint)
  }

  dispose(): void {
    this.end.abort()
    offFrame('paint', this.paint)
    this.surface.dispose()
  }

  private get space(): Space | null {
    const { surface, viewport } = this
    if (viewport === null) return null
    const x = gutterLeft(surface.width)
    const w = Math.max(1, surface.width - x - gutterRight(surface.width))
    return new Space({ ...viewport, b0: 0, b1: 1 }, { x, y: TOP, w, h: HEIGHT })
  }

  private listen(): void {
    const { root } = this.surface
    const on = { signal: this.end.signal }
    const at = (event: PointerEvent | MouseEvent): number => {
      const { space } = this
      const count = this.scene?.operators?.shade.length ?? 0
      return space === null ? -1 : opAt(count, space, event.clientX - root.getBoundingClientRect().left)
    }
    root.addEventListener('pointermove', (event) => this.on.hover(at(event), event.clientX, event.clientY), on)
    root.addEventListener('pointerleave', () => this.on.hover(-1, 0, 0), on)
    root.addEventListener('click', (event) => this.on.pick(at(event)), on)
    root.addEventListener('keydown', (event) => this.key(event), on)
  }

  /** Arrows go from operator to operator. */
  private key(event: KeyboardEvent): void {
    const count = this.scene?.operators?.shade.length ?? 0
    const moves: Record<string, number> = {
      ArrowLeft: this.marks.current - 1,
      ArrowRight: this.marks.current + 1,
      Home: 0,
      End: count - 1,
    }
    const to = moves[event.key]
    if (to === undefined || count === 0) return
    event.preventDefault()
    event.stopPropagation()
    this.on.pick(Math.max(0, Math.min(count - 1, to)))
  }

  private describe(): void {
    const operators = this.scene?.operators
    if (operators === null || operators === undefined) return
    const { ids, types } = operators.model.ops
    const { current } = this.marks
    const at = current >= 0 ? `: ${current}, ${types[current] ?? ''} ${ids[current] ?? ''}` : ''
    const moved = this.scene?.operators?.changes?.moved.reduce((sum, one) => sum + one, 0) ?? 0
    this.surface.label(`${ids.length} operators${moved > 0 ? `, ${moved} moved` : ''}${at}`)
  }

  private repaint(): void {
    const { scene, space, surface } = this
    const operators = scene?.operators ?? null
    if (scene === null || space === null) return
    const c = surface.begin(0)
    if (operators === null) return
    const theme = tokens[scene.theme]
    const colours = coloursOf(scene.theme)
    c.save()
    c.beginPath()
    c.rect(space.plate.x - 2, 0, space.plate.w + 4, surface.height)
    c.clip()
    for (const block of opBlocks(operators, space)) {
      paintBlock(c, block, colours.categories, theme)
      paintSlow(c, block, operators, theme)
    }
    paintNames(c, operators, space, colours)
    paintMoved(c, operators, space, theme)
    this.paintCurrentOperator(c, space, operators, theme)
    c.restore()
    c.font = FONT
    c.fillStyle = theme.text3
    c.textAlign = 'right'
    c.fillText('ops', space.plate.x - 9, TOP + 11)
  }

  private paintCurrentOperator(c: Ctx, space: Space, operators: Operators, theme: Tokens): void {
    const { current, makes, reads } = this.marks
    const box = (op: number): Rect => {
      const x0 = space.x(op)
      const w = Math.max(4, space.sx)
      return { x: Math.round(x0 + space.sx / 2 - w / 2) - 1, y: TOP - 1, w: Math.round(w) + 1, h: HEIGHT + 2 }
    }
    for (const op of reads) {
      const b = box(op)
      if (b.w >= DASHED) outline(c, b, theme.text1, 1.5, [3, 2])
      c.fillStyle = theme.text1
      c.fillRect(b.x, TOP + HEIGHT + 2, b.w, 2)
    }
    for (const op of new Set([...makes, current])) {
      if (op >= 0 && op < operators.shade.length) outline(c, box(op), theme.text1, 2)
    }
  }
}

function paintBlock(c: Ctx, block: OpBlock, swatches: Swatch[], theme: Tokens): void {
  const swatch = swatches[block.shade]
  if (swatch === undefined) return
  const x0 = Math.round(block.x)
  const w = Math.max(1, Math.round(block.x + block.w) - x0)
  const parted = w >= PARTED ? 1 : 0
  c.fillStyle = swatch.fill
  c.fillRect(x0, TOP, w - parted, HEIGHT)
  if (theme.name === 'dark' || w < PARTED) return
  c.strokeStyle = swatch.edge
  c.lineWidth = 0.9
  c.strokeRect(x0 + 0.5, TOP + 0.5, Math.max(0, w - parted - 1), HEIGHT - 1)
}

/** Of two memories: grey from above is what the operators read and write in the slow one. */
function paintSlow(c: Ctx, block: OpBlock, { accessed }: Operators, theme: Tokens): void {
  if (accessed === undefined || accessed === null) return
  const sum = (bytes: Float64Array) => bytes.subarray(block.first, block.last + 1).reduce((all, one) => all + one, 0)
  const all = sum(accessed.all)
  const h = all === 0 ? 0 : Math.round((1 - sum(accessed.fast) / all) * HEIGHT)
  if (h === 0) return
  const x0 = Math.round(block.x)
  const w = Math.max(1, Math.round(block.x + block.w) - x0)
  c.fillStyle = theme.line2
  c.fillRect(x0, TOP, w >= PARTED ? w - 1 : w, h)
}

/** A mark over each operator that does not run where it was given: it points to where it came from. */
function paintMoved(c: Ctx, operators: Operators, space: Space, theme: Tokens): void {
  const { changes } = operators
  if (changes === undefined || changes === null) return
  const [first, end] = visibleOps(changes.moved.length, space)
  c.fillStyle = theme.accent
  for (let op = first; op < end; op++) {
    if (changes.moved[op] !== 1) continue
    const x = space.x(op) + space.sx / 2
    if (space.sx < MARKED) {
      c.fillRect(Math.round(x), 0, 1, TOP - 1)
      continue
    }
    const to = (changes.from[op] as number) < op ? -1 : 1
    c.beginPath()
    c.moveTo(x + 3 * to, TOP - 3)
    c.lineTo(x - 2 * to, TOP - 5.5)
    c.lineTo(x - 2 * to, TOP - 0.5)
    c.closePath()
    c.fill()
  }
}

/** The type where there is room for it. */
function paintNames(c: Ctx, operators: Operators, space: Space, colours: BufferColours): void {
  if (space.sx < 22) return
  const { types } = operators.model.ops
  const [first, end] = visibleOps(types.length, space)
  c.font = FONT
  c.textAlign = 'left'
  c.textBaseline = 'alphabetic'
  for (let op = first; op < end; op++) {
    const type = types[op] ?? ''
    if (c.measureText(type).width + 8 > space.sx) continue
    const x = Math.max(space.plate.x, space.x(op))
    c.fillStyle = colours.categories[operators.shade[op] ?? 0]?.ink ?? ''
    c.fillText(type, x + 4, TOP + 11)
  }
}
