/** The title of the page says what is open. */
import { derived } from '../../base/cell'
import { current } from '../lesson/lesson_live'
import { welcome } from '../../state/ui'
import { workbench } from '../../state/workbench_cells'
import { nameOf } from '../../state/workbench_values'

const NAME = 'Arenascope'
/** That of a page with nothing open, as it came. */
const PLAIN = document.title

export const title = derived(() => {
  const taught = current.get()
  if (taught !== null) return `${taught.lesson.title}, lesson ${taught.number} · ${NAME}`
  const source = workbench.opened.get()?.source
  if (welcome.get() || source === undefined) return PLAIN
  const name = (source.kind === 'example' ? source.title : nameOf(source)) || 'Buffers'
  return `${workbench.mode.get() === 'compare' ? 'Compare: ' : ''}${name} · ${NAME}`
})

const write = () => {
  document.title = title.get()
}
write()
title.subscribe(write)
