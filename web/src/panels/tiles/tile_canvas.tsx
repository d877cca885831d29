/** The task that is shown, and the collision of a step, over the memory canvas. */
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { TileLayer } from '../../draw/tiles/tile_layer'
import { viewport } from '../../state/ui'
import { scene } from '../../state/workbench'
import { shownCollision, shownTask } from './shown_task'

function mount(element: HTMLElement): () => void {
  const layer = new TileLayer(element)
  const update = () => {
    const [now, visible] = [scene.get(), viewport.get()]
    if (now !== null && visible !== null)
      layer.update({ scene: now, shown: shownTask.get(), collision: shownCollision.get() }, visible)
  }
  update()
  const exits = [scene, viewport, shownTask, shownCollision].map((source) => source.subscribe(update))
  return () => {
    for (const exit of exits) exit()
    layer.dispose()
  }
}

export function TileCanvas({ memory }: { memory: RefObject<HTMLElement | null> }) {
  useEffect(() => (memory.current === null ? undefined : mount(memory.current)), [])
  return null
}
