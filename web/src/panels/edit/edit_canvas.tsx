/** Dragging on the canvas: of the problem, whose text then changes, or of a lesson's bricks. */
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { EditLayer, type EditLayerCallbacks } from '../../draw/canvas/edit_layer'
import { useValue } from '../../base/use_value'
import type { Box, Grip } from '../../layout/canvas/grips'
import { change } from '../../run/edit/edit'
import { Follower } from '../../run/edit/follow'
import { sayWhy } from '../../state/atoms'
import { idFor } from '../../state/edit/edit_csv'
import { setBricks } from '../../state/lesson/bricks'
import { bricks } from '../../state/lesson/lesson_workbench'
import { scene, opened } from '../../state/workbench'
import { viewport, width } from '../../state/ui'
import { togglePin } from '../../run/canvas/pins'
import { useActions } from '../page/context'
import '../../styles/later'

const HINT =
  'Drag an edge for time or size, the middle for an address, free ground for a new buffer. The search follows.'
const SHORT_HINT = 'Tap a buffer, then drag its edges or its middle. The search follows.'
const BRICKS_HINT = 'Drag up and down. Red: above the line, or two in one place.'

function refused(text: string): void {
  if (text !== '') sayWhy(text, 'The edit was not made.')
}

function editing(session: ReturnType<typeof useActions>['session']): EditLayerCallbacks {
  const follower = new Follower(session, refused)
  const set = (buffer: number, grip: Grip, box: Box) =>
    ({ kind: 'set', buffer, values: { [grip]: box[grip] } }) as const
  return {
    hint: width.get() === 'phone' ? SHORT_HINT : HINT,
    pin: (buffer) => togglePin(buffer, false),
    during: (...to) => follower.during(set(...to)),
    edit: (...to) => void follower.end(set(...to)),
    cancel: () => void follower.cancel(),
    draw: ({ lower, upper, size }) => {
      const text = opened.get()?.text
      if (typeof text !== 'string') return
      void change(session, { kind: 'add', values: { id: idFor(text, 'new'), lower, upper, size } }).then(refused)
    },
  }
}

function laying(): EditLayerCallbacks {
  const move = (buffer: number, _: Grip, { offset }: Box) => {
    const where = bricks.get()
    if (where !== null) setBricks(where.with(buffer, offset))
  }
  return { hint: BRICKS_HINT, bricks: true, pin: () => {}, during: move, edit: move, cancel: move }
}

export function EditCanvas({ host }: { host: RefObject<HTMLElement | null> }) {
  const actions = useActions()
  const editable = useValue(opened)?.source.kind !== 'model'
  const by = useValue(bricks) !== null
  useEffect(() => {
    if (host.current === null || !(editable || by)) return
    const layer = new EditLayer(host.current, by ? laying() : editing(actions.session))
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
  }, [editable, by])
  return null
}
