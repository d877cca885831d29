/** The model's graph on a canvas: operators as tiles in their type's colour, tensors as lines. Pan and zoom as on the memory canvas. */
import { clamp, type Rect } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { MONO, SANS, type Tokens, tokens } from '../../base/theme'
import { PanZoom, type PanZoomIntents } from '../../input/pan_zoom'
import type { Layered } from '../../layout/model/layered'
import { NODE_HEIGHT, type OpGraph } from '../../layout/model/op_graph'
import type { GraphParts, Operators, OpMarks, Theme } from '../../layout/scene'
import { type Ctx, outline, plaque } from '../primitives'
import { coloursOf } from '../buffer_colours'
import { Surface } from '../surface'
import { beginning } from '../../base/format'

/** Of names in CSS pixels, and the least that they may shrink to. */
const NAME_SIZE = 11
const LEAST_SIZE = 10.5
/** Below this scale tiles are too low for a name that can be read. */
const NAMES_FROM = 0.6
const CLOSEST = 2.5
const AIR = 24
const LEAST_SIDE = 40
/** Of a part's ground around its operators. */
const GROUND = 6

export interface GraphScene {
  operators: Operators
  graph: OpGraph
  layout: Layered
  /** null: no search has cut it */
  parts: GraphParts | null
  marks: OpMarks
  theme: Theme
}

export interface GraphViewCallbacks {
  hover(op: number, x: number, y: number): void
  pick(op: number): void
}

export class GraphView {
  private readonly surface: Surface
  private readonly input: PanZoom
  private readonly keys = new AbortController()
  private scene: GraphScene | null = null
  private scale = 1
  private left = 0
  private top = 0
  /** the layout that the view has been set up for */
  private begun: Layered | null = null
  private readonly paint: () => void

  constructor(
    host: HTMLElement,
    private readonly on: GraphViewCallbacks,
  ) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Graph of operators', focusable: true }, () => this.resized())
    this.surface.root.addEventListener('keydown', (event) => this.key(event), {
      signal: this.keys.signal,
      capture: true,
    })
    this.input = new PanZoom(this.surface.root, this.intents())
  }

  /** A new layout is shown from the operator that is looked at, at full size. */
  update(scene: GraphScene): void {
    const before = this.scene
    this.scene = scene
    if (this.begun !== scene.layout) this.begin(scene.marks.current)
    else if (before?.marks.current !== scene.marks.current) this.reveal(scene.marks.current)
    const { types, ids } = scene.operators.model.ops
    const { current } = scene.marks
    const at = current >= 0 ? `: ${types[current] ?? ''} ${ids[current] ?? ''}` : ''
    this.surface.label(`Graph of ${scene.graph.end - scene.graph.first} operators${at}`)
    onFrame('paint', this.paint)
  }

  fit(): void {
    const { scene, surface } = this
    if (scene === null) return
    const { width, height } = scene.layout
    this.scale = clamp(Math.min(surface.width / width, surface.height / height), this.least, 1)
    this.left = (surface.width / this.scale - width) / -2
    this.top = Math.min(0, (surface.height / this.scale - height) / -2)
    this.changed()
  }

  zoom(factor: number): void {
    this.zoomAt(this.surface.width / 2, this.surface.height / 2, factor)
  }

  /** Puts an operator that is out of sight in the middle. */
  reveal(op: number): void {
    const box = this.boxOf(op)
    if (box === null) return
    const { width, height } = this.surface
    const [w, h] = [width / this.scale, height / this.scale]
    const inX = box.x >= this.left && box.x + box.w <= this.left + w
    const inY = box.y >= this.top && box.y + box.h <= this.top + h
    if (inX && inY) return
    if (!inX) this.left = box.x + box.w / 2 - w / 2
    if (!inY) this.top = box.y + box.h / 2 - h / 2
    this.changed()
  }

  dispose(): void {
    this.keys.abort()
    offFrame('paint', this.paint)
    this.input.dispose()
    this.surface.dispose()
  }

  // ---- view

  private get least(): number {
    const { scene, surface } = this
    if (scene === null) return 0.05
    return Math.min(0.3, surface.width / scene.layout.width, surface.height / scene.layout.height)
  }

  private resized(): void {
    if (this.scene !== null && this.begun !== this.scene.layout) this.begin(this.scene.marks.current)
    else this.changed()
  }

  private begin(op: number): void {
    const { scene, surface } = this
    // a host that is not laid out yet has no size to set the view up for
    if (scene === null || surface.width < LEAST_SIDE || surface.height < LEAST_SIDE) return
    this.begun = scene.layout
    this.scale = 1
    const box = this.boxOf(op >= 0 ? op : scene.graph.first)
    this.left = (box === null ? scene.layout.width / 2 : box.x + box.w / 2) - surface.width / this.scale / 2
    this.top = (box === null ? 0 : box.y) - (op >= 0 ? surface.height / this.scale / 2 : AIR)
    this.changed()
  }

  private zoomAt(x: number, y: number, factor: number): void {
    const scale = clamp(this.scale * factor, this.least, CLOSEST)
    this.left += x / this.scale - x / scale
    this.top += y / this.scale - y / scale
    this.scale = scale
    this.changed()
  }

  private drag(dx: number, dy: number): void {
    this.left -= dx / this.scale
    this.top -= dy / this.scale
    this.changed()
  }

  /** A part of the graph stays in sight. */
  private changed(): void {
    const { scene, surface } = this
    if (scene !== null) {
      const w = surface.width / this.scale
      const h = surface.height / this.scale
      this.left = clamp(this.left, -w / 2, scene.layout.width - w / 2)
      this.top = clamp(this.top, -h / 2, scene.layout.height - h / 2)
    }
    onFrame('paint', this.paint)
  }

  private boxOf(op: number): Rect | null {
    const { scene } = this
    if (scene === null || op < scene.graph.first || op >= scene.graph.end) return null
    const k = op - scene.graph.first
    const w = scene.graph.width[k] ?? 0
    return { x: (scene.layout.x[k] ?? 0) - w / 2, y: (scene.layout.y[k] ?? 0) - NODE_HEIGHT / 2, w, h: NODE_HEIGHT }
  }

  private opAt(x: number, y: number): number {
    const { scene } = this
    if (scene === null) return -1
    const gx = this.left + x / this.scale
    const gy = this.top + y / this.scale
    const reach = Math.max(0, 3 / this.scale - 3)
    for (let op = scene.graph.first; op < scene.graph.end; op++) {
      const box = this.boxOf(op)
      if (box === null) continue
      const inX = gx >= box.x - reach && gx <= box.x + box.w + reach
      if (inX && gy >= box.y - reach && gy <= box.y + box.h + reach) return op
    }
    return -1
  }

  // ---- painting

  private repaint(): void {
    const { scene, surface } = this
    if (scene === null) return
    const c = surface.begin(0)
    const theme = tokens[scene.theme]
    c.save()
    c.scale(this.scale, this.scale)
    c.translate(-this.left, -this.top)
    this.paintParts(c, scene, theme)
    this.paintEdges(c, scene, theme)
    this.paintCuts(c, scene, theme)
    this.paintNodes(c, scene, theme)
    c.restore()
  }

  /** Every other part between two cuts stands on a ground of its own. */
  private paintParts(c: Ctx, { parts, graph }: GraphScene, theme: Tokens): void {
    if (parts === null) return
    c.fillStyle = theme.line1
    c.beginPath()
    for (let op = graph.first; op < graph.end; op++) {
      const box = this.boxOf(op)
      if (box === null || (parts.part[op] as number) % 2 === 0) continue
      c.roundRect(box.x - GROUND, box.y - GROUND, box.w + 2 * GROUND, box.h + 2 * GROUND, 6)
    }
    c.fill()
  }

  /** A bar across each edge from one part to a later one, and what is alive there. */
  private paintCuts(c: Ctx, { parts, graph, layout }: GraphScene, theme: Tokens): void {
    if (parts === null) return
    // while the graph shrinks they stay seen
    const [w, h] = [Math.max(12, 7 / this.scale), Math.max(2.5, 1.6 / this.scale)]
    c.fillStyle = theme.text2
    graph.edges.forEach(([from, to], k) => {
      const path = layout.paths[k] ?? []
      if (parts.part[from + graph.first] === parts.part[to + graph.first] || path.length < 4) return
      const middle = 2 * Math.floor(path.length / 4)
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = path.slice(middle - 2, middle + 2)
      c.fillRect((x0 + x1 - w) / 2, (y0 + y1 - h) / 2, w, h)
    })
    if (this.scale < NAMES_FROM) return
    c.font = `${Math.max(NAME_SIZE, LEAST_SIZE / this.scale)}px ${MONO}`
    c.textAlign = 'left'
    c.textBaseline = 'middle'
    for (const { op, text } of parts.flags) {
      const box = this.boxOf(op)
      if (box === null) continue
      const [x, y] = [box.x + box.w + 9, box.y + box.h / 2]
      // edges run behind it
      plaque(c, { x: x - 3, y: y - 7, w: c.measureText(text).width + 6, h: 14 }, theme.well)
      c.fillStyle = theme.text2
      c.fillText(text, x, y + 0.5)
    }
  }

  private paintEdges(c: CanvasRenderingContext2D, scene: GraphScene, theme: Tokens): void {
    const { graph, layout, marks } = scene
    const path = (near: boolean) => {
      c.beginPath()
      graph.edges.forEach(([from, to], k) => {
        const touches = from + graph.first === marks.current || to + graph.first === marks.current
        if (touches === near) tracePath(c, layout.paths[k] ?? [])
      })
      c.stroke()
    }
    c.lineJoin = 'round'
    c.strokeStyle = theme.control
    c.lineWidth = Math.max(1, 0.8 / this.scale)
    path(false)
    c.strokeStyle = theme.text1
    c.lineWidth = Math.max(2, 1.6 / this.scale)
    path(true)
    this.paintOutside(c, scene, theme)
  }

  /** Edges whose tensor was outside on the way: they are cut. */
  private paintOutside(c: CanvasRenderingContext2D, { operators, graph, layout }: GraphScene, theme: Tokens): void {
    const outside = operators.changes?.outside ?? []
    if (outside.length === 0) return
    const cut = new Set(outside.map(([maker, reader]) => `${maker} ${reader}`))
    c.strokeStyle = theme.accent
    c.lineWidth = Math.max(2, 1.6 / this.scale)
    c.setLineDash([6, 4])
    c.beginPath()
    graph.edges.forEach(([from, to], k) => {
      if (cut.has(`${from + graph.first} ${to + graph.first}`)) tracePath(c, layout.paths[k] ?? [])
    })
    c.stroke()
    c.setLineDash([])
  }

  private paintNodes(c: Ctx, scene: GraphScene, theme: Tokens): void {
    const { operators, graph, marks } = scene
    const swatches = coloursOf(scene.theme).categories
    const named = this.scale >= NAMES_FROM
    const bottom = this.top + this.surface.height / this.scale
    // while the graph shrinks its names stay readable, and are cut where they no longer fit
    c.font = `${Math.max(NAME_SIZE, LEAST_SIZE / this.scale)}px ${SANS}`
    c.textAlign = 'center'
    c.textBaseline = 'middle'
    for (let op = graph.first; op < graph.end; op++) {
      const box = this.boxOf(op)
      const swatch = swatches[operators.shade[op] ?? 0]
      if (box === null || swatch === undefined || box.y > bottom || box.y + box.h < this.top) continue
      c.fillStyle = swatch.fill
      c.beginPath()
      c.roundRect(box.x, box.y, box.w, box.h, 3)
      c.fill()
      if (theme.name === 'light') {
        c.strokeStyle = swatch.edge
        c.lineWidth = 0.9
        c.stroke()
      }
      if (operators.changes?.moved[op] === 1) {
        c.fillStyle = theme.accent
        c.fillRect(box.x, box.y, 4, box.h)
      }
      if (!named) continue
      c.fillStyle = swatch.ink
      c.fillText(fitting(c, graph.label[op - graph.first] ?? '', box.w - 6), box.x + box.w / 2, box.y + box.h / 2 + 0.5)
    }
    const mark = (op: number, dash: number[]) => {
      const box = this.boxOf(op)
      if (box === null) return
      const out = { x: box.x - 3, y: box.y - 3, w: box.w + 6, h: box.h + 6 }
      outline(c, out, theme.text1, 2 / Math.min(1, this.scale), dash)
    }
    for (const op of marks.reads) mark(op, [5, 3])
    for (const op of new Set([...marks.makes, marks.current])) mark(op, [])
  }

  // ---- input

  /** Up to what it reads, down to what reads it, left and right along the schedule. */
  private key(event: KeyboardEvent): void {
    const { scene } = this
    if (scene === null || !event.key.startsWith('Arrow')) return
    const { graph, marks } = scene
    const now = marks.current - graph.first
    const sideways = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    const found =
      sideways !== 0
        ? marks.current + sideways
        : event.key === 'ArrowUp'
          ? (graph.edges.find(([, to]) => to === now)?.[0] ?? -1) + graph.first
          : (graph.edges.find(([from]) => from === now)?.[1] ?? -1) + graph.first
    event.preventDefault()
    event.stopPropagation()
    const to = marks.current < graph.first || marks.current >= graph.end ? graph.first : found
    if (to >= graph.first && to < graph.end) this.on.pick(to)
  }

  private intents(): PanZoomIntents {
    return {
      zoomAt: (x, y, factor) => this.zoomAt(x, y, factor),
      drag: (dx, dy) => this.drag(dx, dy),
      fit: () => this.fit(),
      hover: (at) => this.on.hover(at === null ? -1 : this.opAt(at.x, at.y), at?.clientX ?? 0, at?.clientY ?? 0),
      tap: (x, y) => this.on.pick(this.opAt(x, y)),
      pan: (dx, dy) => this.drag(-dx * this.surface.width, dy * this.surface.height),
      zoom: (factor) => this.zoom(factor),
      minimap: () => null,
      jump: () => {},
      zoomed: () => true,
    }
  }
}

/** Through the middles between bends, so that the line turns smoothly. */
function tracePath(c: CanvasRenderingContext2D, points: number[]): void {
  const n = points.length / 2
  const x = (k: number) => points[2 * k] as number
  const y = (k: number) => points[2 * k + 1] as number
  if (n < 2) return
  c.moveTo(x(0), y(0))
  for (let k = 1; k + 1 < n; k++) c.quadraticCurveTo(x(k), y(k), (x(k) + x(k + 1)) / 2, (y(k) + y(k + 1)) / 2)
  c.lineTo(x(n - 1), y(n - 1))
}

function fitting(c: Ctx, text: string, room: number): string {
  if (c.measureText(text).width <= room) return text
  let end = text.length
  while (end > 1 && c.measureText(`${beginning(text, end)}…`).width > room) end--
  return `${beginning(text, end)}…`
}
