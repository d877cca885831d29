/** Dragging on the canvas edits the problem: what a drag means becomes a change of its text. */
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { EditLayer } from '../../draw/canvas/edit_layer'
import { useValue } from '../../base/use_value'
import { change } from '../../run/edit/edit'
import { notice } from '../../state/atoms'
import { scene, opened } from '../../state/workbench'
import { viewport } from '../../state/ui'
import { togglePin } from '../../run/canvas/pins'
import { useActions } from '../page/context'

export function EditCanvas({ host }: { host: RefObject<HTMLElement | null> }) {
  const actions = useActions()
  const editable = useValue(opened)?.source.kind !== 'model'
  useEffect(() => {
    if (host.current === null || !editable) return
    const layer = new EditLayer(host.current, {
      pin: (buffer) => togglePin(buffer, false),
      edit: (buffer, grip, box) => {
        const wanted = { kind: 'set', buffer, values: { [grip]: box[grip] } } as const
        void change(actions.session, wanted).then((text) => {
          if (text !== '') notice.set({ tone: 'why', title: 'The edit was not made.', text })
        })
      },
    })
    const update = () => {
      const now = scene.get()
      const view = viewport.get()
      if (now !== null && view !== null) layer.update(now, view)
    }
    update()
    const leave = [scene.subscribe(update), viewport.subscribe(update)]
    return () => {
      for (const go of leave) go()
      layer.dispose()
    }
  }, [editable])
  return null
}
