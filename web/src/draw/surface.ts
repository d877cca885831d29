/** A stack of canvases in a host element, sharp at any device pixel ratio, resized with the host. */

export interface SurfaceOptions {
  /** canvases, bottom first */
  layers: number
  label: string
  /** takes the keyboard focus */
  focusable: boolean
}

/** Canvases larger than this many device pixels a side are refused by some browsers. */
const MOST_PIXELS = 8192

export class Surface {
  readonly root: HTMLDivElement
  width = 0
  height = 0
  dpr = 1
  private readonly canvases: HTMLCanvasElement[] = []
  private readonly contexts: CanvasRenderingContext2D[] = []
  private readonly observer: ResizeObserver
  private readonly onFonts: () => void

  /** changed: called after a resize, a change of pixel ratio, or when a font has arrived; the layers are then empty. */
  constructor(
    host: HTMLElement,
    options: SurfaceOptions,
    private readonly changed: () => void,
  ) {
    this.root = document.createElement('div')
    this.root.style.cssText =
      'position:relative;width:100%;height:100%;overflow:hidden;touch-action:none;user-select:none;-webkit-user-select:none'
    this.root.setAttribute('role', 'img')
    this.root.setAttribute('aria-label', options.label)
    if (options.focusable) this.root.tabIndex = 0
    for (let k = 0; k < options.layers; k++) this.addLayer()
    host.append(this.root)
    this.observer = new ResizeObserver(() => this.resize())
    this.observer.observe(this.root)
    this.onFonts = () => this.changed()
    document.fonts?.addEventListener('loadingdone', this.onFonts)
    this.measure()
  }

  private addLayer(): void {
    const canvas = document.createElement('canvas')
    canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;display:block;pointer-events:none'
    const context = canvas.getContext('2d')
    if (!context) throw new Error('this browser gives no 2D canvas')
    this.root.append(canvas)
    this.canvases.push(canvas)
    this.contexts.push(context)
  }

  private measure(): boolean {
    const width = Math.max(1, Math.round(this.root.clientWidth))
    const height = Math.max(1, Math.round(this.root.clientHeight))
    const most = MOST_PIXELS / Math.max(width, height)
    const dpr = Math.max(0.25, Math.min(window.devicePixelRatio || 1, most))
    if (width === this.width && height === this.height && dpr === this.dpr) return false
    this.width = width
    this.height = height
    this.dpr = dpr
    for (const canvas of this.canvases) {
      canvas.width = Math.round(width * dpr)
      canvas.height = Math.round(height * dpr)
    }
    // hinted, letters would take whole pixels each, more than their tags have room for
    for (const context of this.contexts) context.textRendering = 'geometricPrecision'
    return true
  }

  private resize(): void {
    if (this.measure()) this.changed()
  }

  /** A cleared layer in CSS pixels. */
  begin(layer: number): CanvasRenderingContext2D {
    if (window.devicePixelRatio !== this.dpr) this.resize()
    const context = this.contexts[layer] as CanvasRenderingContext2D
    context.setTransform(this.dpr, 0, 0, this.dpr, 0, 0)
    context.clearRect(0, 0, this.width, this.height)
    return context
  }

  /** Only written when it differs: screen readers repeat what changes. */
  label(text: string): void {
    if (this.root.getAttribute('aria-label') !== text) this.root.setAttribute('aria-label', text)
  }

  dispose(): void {
    this.observer.disconnect()
    document.fonts?.removeEventListener('loadingdone', this.onFonts)
    this.root.remove()
  }
}
