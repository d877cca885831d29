import { notice } from '../../state/atoms'
import { leastCapacity } from '../../state/problem/pools'
import { workbench } from '../../state/workbench_cells'
import { nameOf, type Opened } from '../../state/workbench_values'
import type { Actions } from '../actions'

/** What the page put before a text it also takes away. */
const LINE = /^# arenascope: end=\w+( columns=id,\w+,\w+,\w+)?\n/

/** Reads the text as it was given once more, under a line that says how. */
export async function readAs(actions: Actions, now: Opened, line: string): Promise<void> {
  const { original } = now
  if (original === undefined) return
  const before = workbench.capacity.get()
  const tight = before === leastCapacity(now.problem)
  const own = LINE.exec(typeof original === 'string' ? original : await original.slice(0, 80).text())?.[0].length ?? 0
  const text =
    typeof original === 'string'
      ? line + original.slice(own).replace(/^\ufeff/, '')
      : new Blob([line, original.slice(own)])
  const opened = await actions.session.open(text, now.source, nameOf(now.source))
  if (opened && !tight) workbench.capacity.set(before)
  // what was loaded stays; the editor would show a text that nobody has typed
  const [first] = workbench.mistakes.get()?.errors ?? []
  if (opened || first === undefined) return
  actions.draft.keepPrevious()
  const where = `${first.field} ${first.message}`
  notice.set({ tone: 'why', title: 'It cannot be read so.', text: `Line ${first.line - 1}: ${where}.` })
}
