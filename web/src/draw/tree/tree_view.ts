/** The search tree on a canvas: the path down the middle, what was tried beside it. Pan and zoom as on the memory canvas. */
import { clamp } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { type Tokens, tokens } from '../../base/theme'
import { PanZoom, type PanZoomIntents } from '../../input/pan_zoom'
import type { Theme } from '../../layout/scene'
import type { Shades } from '../../layout/canvas/shade'
import { type TreeMark, treeMarkAt, neighbour, type TreeLayout } from '../../layout/tree/tree'
import { labelWidth } from '../../layout/ticks'
import { mono, text } from '../primitives'
import { paintLink, paintTreeMark, type TreeLook } from './paint_tree'
import { coloursOf } from '../buffer_colours'
import { Surface } from '../surface'

/** Below these scales labels, and then all text, are too small to be read. */
const LABELS_FROM = 0.7
const TEXT_FROM = 0.55
const CLOSEST = 3
const LEAST = 0.08
const EDGE = 10
/** Where the step shown stands in the view, from the top. */
const AT = 0.72
const REACH = 6

export interface TreeScene {
  layout: TreeLayout
  /** colour of placed buffers, null: none is known */
  shades: Shades | null
  theme: Theme
  label: string
}

export interface TreeViewCallbacks {
  hover(mark: TreeMark | null, x: number, y: number): void
  pick(mark: TreeMark): void
  /** with the keys: the mark that has the focus now */
  select(mark: TreeMark | null): void
  /** the view was moved by hand: it follows the step no longer */
  moved(): void
}

export class TreeView {
  private readonly surface: Surface
  private readonly input: PanZoom
  private readonly stop = new AbortController()
  private scene: TreeScene | null = null
  private scale = 1
  private left = 0
  private top = 0
  private selected = -1
  private hovered = -1
  private following = true
  private readonly paint: () => void

  constructor(
    host: HTMLElement,
    private readonly on: TreeViewCallbacks,
    private readonly resized: (width: number) => void,
  ) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Search tree', focusable: true }, () => this.changedSize())
    const { signal } = this.stop
    this.surface.root.addEventListener('keydown', (event) => this.key(event), { signal, capture: true })
    this.surface.root.addEventListener('blur', () => this.select(-1), { signal })
    this.input = new PanZoom(this.surface.root, this.intents())
  }

  get width(): number {
    return this.surface.width
  }

  update(scene: TreeScene): void {
    if (scene.layout !== this.scene?.layout) this.selected = this.hovered = -1
    this.scene = scene
    this.surface.label(scene.label)
    if (this.following) this.follow()
    onFrame('paint', this.paint)
  }

  /** Back to the step shown, and along with it from now on. */
  follow(): void {
    const { scene, surface } = this
    this.following = true
    if (scene === null) return
    const { layout } = scene
    const [w, h] = [surface.width / this.scale, surface.height / this.scale]
    this.left = -w / 2
    // with little to see all of it is seen
    this.top = layout.height <= h ? Math.min(0, (layout.height - h) / 2) : layout.nowY - h * AT
    if (layout.height > h) this.top = clamp(this.top, 0, layout.height - h)
    onFrame('paint', this.paint)
  }

  fit(): void {
    const { scene, surface } = this
    if (scene === null) return
    const { left, right, height } = scene.layout
    const across = right - left + 40
    this.scale = clamp(Math.min(surface.width / across, surface.height / height), LEAST, 1)
    this.left = (left + right - surface.width / this.scale) / 2
    this.top = Math.min(0, (height - surface.height / this.scale) / 2)
    this.byHand()
  }

  zoom(factor: number): void {
    this.zoomAt(this.surface.width / 2, this.surface.height / 2, factor)
  }

  dispose(): void {
    this.stop.abort()
    offFrame('paint', this.paint)
    this.input.dispose()
    this.surface.dispose()
  }

  // ---- view

  private changedSize(): void {
    this.resized(this.surface.width)
    if (this.following) this.follow()
    onFrame('paint', this.paint)
  }

  private byHand(): void {
    this.following = false
    this.on.moved()
    const { scene, surface } = this
    if (scene !== null) {
      const [w, h] = [surface.width / this.scale, surface.height / this.scale]
      this.left = clamp(this.left, Math.min(-w / 2, scene.layout.left - w / 2), scene.layout.right - w / 2)
      this.top = clamp(this.top, -h / 2, scene.layout.height - h / 2)
    }
    onFrame('paint', this.paint)
  }

  private zoomAt(x: number, y: number, factor: number): void {
    const scale = clamp(this.scale * factor, LEAST, CLOSEST)
    this.left += x / this.scale - x / scale
    this.top += y / this.scale - y / scale
    this.scale = scale
    this.byHand()
  }

  private drag(dx: number, dy: number): void {
    this.left -= dx / this.scale
    this.top -= dy / this.scale
    this.byHand()
  }

  private markUnder(x: number, y: number): number {
    if (this.scene === null) return -1
    const reach = REACH / Math.max(0.5, this.scale)
    return treeMarkAt(this.scene.layout, this.left + x / this.scale, this.top + y / this.scale, reach)
  }

  // ---- painting

  private repaint(): void {
    const { scene, surface } = this
    if (scene === null) return
    const c = surface.begin(0)
    const theme = tokens[scene.theme]
    const look: TreeLook = {
      theme,
      colours: coloursOf(scene.theme),
      shades: scene.shades,
      written: this.scale >= TEXT_FROM,
      scale: this.scale,
    }
    const low = this.top - 120 / Math.min(1, this.scale)
    const high = this.top + surface.height / this.scale + 60
    const { marks } = scene.layout
    c.save()
    c.scale(this.scale, this.scale)
    c.translate(-this.left, -this.top)
    for (const mark of marks) {
      const parent = marks[mark.parent]
      if (parent !== undefined && mark.y >= low && parent.y <= high) paintLink(c, parent, mark, look)
    }
    marks.forEach((mark, k) => {
      if (mark.y < low || mark.y > high) return
      paintTreeMark(c, mark, look, k === this.hovered || k === this.selected)
    })
    c.restore()
    if (this.scale >= LABELS_FROM) this.paintLabels(c, scene, theme)
  }

  /** In the margin, wherever the tree was moved to; not over what stands there. */
  private paintLabels(c: CanvasRenderingContext2D, scene: TreeScene, theme: Tokens): void {
    const right = this.surface.width - EDGE
    for (const { y, level, tried } of scene.layout.labels) {
      const at = (y - this.top) * this.scale
      if (at < -20 || at > this.surface.height + 20) continue
      const room = Math.max(labelWidth(level), labelWidth(tried)) + 8
      const under = scene.layout.marks.some(
        (mark) => Math.abs(mark.y - y) < 16 && (mark.x + mark.w / 2 - this.left) * this.scale > right - room,
      )
      if (under) continue
      text(c, level, right, at - 2, mono(11), theme.text2, 'right')
      text(c, tried, right, at + 12, mono(11), theme.text3, 'right')
    }
  }

  // ---- input

  private select(index: number): void {
    this.selected = index
    const mark = this.scene?.layout.marks[index] ?? null
    this.on.select(mark)
    if (mark !== null) this.reveal(mark)
    onFrame('paint', this.paint)
  }

  private reveal(mark: TreeMark): void {
    const [w, h] = [this.surface.width / this.scale, this.surface.height / this.scale]
    if (mark.y < this.top + 24) this.top = mark.y - h * 0.3
    else if (mark.y > this.top + h - 40) this.top = mark.y - h * 0.7
    else if (mark.x > this.left + 12 && mark.x < this.left + w - 12) return
    if (mark.x < this.left + 12 || mark.x > this.left + w - 12) this.left = mark.x - w / 2
    this.byHand()
  }

  /** The arrows go from mark to mark, Enter takes the one that has the focus. */
  private key(event: KeyboardEvent): void {
    const { scene } = this
    if (scene === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const mark = scene.layout.marks[this.selected]
    if (event.key.startsWith('Arrow')) {
      const to = neighbour(scene.layout, this.selected, event.key)
      if (to >= 0) this.select(to)
    } else if (event.key === 'Enter' && mark !== undefined) this.on.pick(mark)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  private hover(at: { x: number; y: number; clientX: number; clientY: number } | null): void {
    const index = at === null ? -1 : this.markUnder(at.x, at.y)
    const mark = this.scene?.layout.marks[index] ?? null
    this.surface.root.style.cursor = mark === null ? '' : 'pointer'
    if (index !== this.hovered) onFrame('paint', this.paint)
    this.hovered = index
    this.on.hover(mark, at?.clientX ?? 0, at?.clientY ?? 0)
  }

  private intents(): PanZoomIntents {
    return {
      zoomAt: (x, y, factor) => this.zoomAt(x, y, factor),
      drag: (dx, dy) => this.drag(dx, dy),
      fit: () => this.fit(),
      hover: (at) => this.hover(at),
      tap: (x, y) => {
        const mark = this.scene?.layout.marks[this.markUnder(x, y)]
        if (mark !== undefined) this.on.pick(mark)
      },
      pan: (dx, dy) => this.drag(-dx * this.surface.width, dy * this.surface.height),
      zoom: (factor) => this.zoom(factor),
      minimap: () => null,
      jump: () => {},
      zoomed: () => true,
    }
  }
}
