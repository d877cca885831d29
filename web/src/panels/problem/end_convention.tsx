/** A CSV may not say whether its end column is inclusive, or in which order its columns are. The page assumes one reading; a click takes the other. */
import { readAs } from '../../run/problem/read_as'
import type { Opened } from '../../state/workbench_values'
import { useActions } from '../page/context'

/** As core/src/io/README.md has it, above the header. */
const told = (end: 'inclusive' | 'exclusive', columns: string) => `# arenascope: end=${end}${columns}\n`
const ORDERS = { start: ' columns=id,start,end,size', size: ' columns=id,size,start,end' }

export function EndConvention({ now }: { now: Opened }) {
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
