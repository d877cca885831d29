/** What a CSV leaves open was assumed: one click reads it the other way. */
import { notice } from '../../state/atoms'
import { workbench } from '../../state/workbench_cells'
import { nameOf, type Opened } from '../../state/workbench_values'
import type { Actions } from '../../run/actions'
import { useActions } from '../page/context'

/** As core/src/io/README.md has it, above the header. All of one length: what the page put before a text it also takes away. */
const told = (end: 'inclusive' | 'exclusive', columns: string) => `# arenascope: end=${end}${columns}\n`
const ORDERS = { start: ' columns=id,start,end,size', size: ' columns=id,size,start,end' }
const LINE = /^# arenascope: end=\w+( columns=id,\w+,\w+,\w+)?\n/

/** Reads the text as it was given once more, under a line that says how. */
async function readAs(actions: Actions, now: Opened, line: string): Promise<void> {
  const { original } = now
  if (original === undefined) return
  const before = workbench.capacity.get()
  const tight = before === now.problem.lowerBound
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

export function Meant({ now }: { now: Opened }) {
  const actions = useActions()
  const { read = 0, convention } = now.problem
  const end = (read & 3) === 1 ? 'inclusive' : 'exclusive'
  const other = end === 'inclusive' ? 'exclusive' : 'inclusive'
  const first = /columns taken as id, (start|size)/.exec(convention)?.[1] as 'start' | 'size' | undefined
  const also = /^# arenascope: end=\w+ columns=id,(start|size)/.exec(
    typeof now.original === 'string' ? now.original : '',
  )
  const order = first ?? (also?.[1] as 'start' | 'size' | undefined)
  const columns = order === undefined ? '' : ORDERS[order]
  if ((read & 3) === 0) return null
  return (
    <p class="row row-tight">
      <button type="button" class="text-button" onClick={() => void readAs(actions, now, told(other, columns))}>
        Read the end as {other}
      </button>
      {order !== undefined && (
        <button
          type="button"
          class="text-button"
          onClick={() => void readAs(actions, now, told(end, ORDERS[order === 'start' ? 'size' : 'start']))}
        >
          {order === 'start' ? 'Size comes first' : 'Size comes last'}
        </button>
      )}
    </p>
  )
}
