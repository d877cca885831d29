/** A picture on one layer that is drawn again when its scene or its size has changed, and at no other time. */
import { offFrame, onFrame } from '../../base/raf'
import type { Ctx } from '../primitives'
import { Surface } from '../surface'

export abstract class Still<Scene> {
  private readonly surface: Surface
  private scene: Scene | null = null
  private readonly repaint = () => {
    if (this.scene !== null) this.paint(this.surface.begin(0), this.scene, this.surface)
  }

  constructor(host: HTMLElement) {
    this.surface = new Surface(host, { layers: 1, label: '', focusable: false }, () => onFrame('paint', this.repaint))
  }

  /** What the scene shows, in words. */
  protected abstract told(scene: Scene): string

  /** size: of the layer, in CSS pixels */
  protected abstract paint(c: Ctx, scene: Scene, size: { width: number; height: number }): void

  update(scene: Scene): void {
    this.scene = scene
    this.surface.label(this.told(scene))
    onFrame('paint', this.repaint)
  }

  dispose(): void {
    offFrame('paint', this.repaint)
    this.surface.dispose()
  }
}
