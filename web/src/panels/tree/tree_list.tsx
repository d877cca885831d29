// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
/** The tree in rows: the same marks, in the order of the path, for reading, for the keyboard and for screen readers. */
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { layTree, type TreeMark } from '../../layout/tree/tree'
import { unit } from '../../state/workbench'
import { fateWords } from '../../state/tree/tell_tree'
import { subtrees, tree, unfoldedRuns } from '../../state/tree/tree'
import { useActions } from '../page/context'
import { Name } from '../controls/name'
import { Cell, Rows } from '../controls/virtual_rows'
import { nameOf, treeInput, useWords } from './tree_input'

/** Wide enough that nothing is left out of a row of siblings. */
const WIDE = 1e6

/** How deep a mark hangs: on the path by its level, beside it one deeper, in an unfolded subtree deeper still. */
function depthOf(mark: TreeMark): number {
  return mark.path ? Math.max(1, mark.level) : mark.level + 1
}

/** What was tried at a node is laid out from the path outwards, and told in order of step: what came first comes first. */
function inOrder(marks: TreeMark[]): TreeMark[] {
  const rows: TreeMark[] = []
  // each with what was tried above it
  let beside: TreeMark[][] = []
  const tell = () => {
    rows.push(...beside.reverse().flat())
    beside = []
  }
  for (const mark of marks) {
    if (mark.path || mark.kind === 'open') {
      tell()
      rows.push(mark)
    } else if (marks[mark.parent]?.path) beside.push([mark])
    else beside.at(-1)?.push(mark)
  }
  tell()
  return rows
}

/** The open candidates of a node are one row, and a subtree that is folded is told with its placement. */
function rowsOf(marks: TreeMark[]): TreeMark[] {
  const rows: TreeMark[] = []
  for (const mark of inOrder(marks)) {
    const last = rows.at(-1)
    if (mark.kind === 'open' && last?.kind === 'open' && last.level === mark.level)
      rows[rows.length - 1] = { ...last, count: last.count + mark.count }
    else rows.push(mark)
  }
  return rows
}

export function TreeList({ pick }: { pick: (mark: TreeMark) => void }) {
  const actions = useActions()
  const state = useValue(tree)
  const words = useWords()
  const amounts = useValue(unit)
  useValue(subtrees)
  useValue(unfoldedRuns)
  const input = state.kind === 'known' ? treeInput(state.known, WIDE) : null
  if (input === null || words === null) return null
  const rows = rowsOf(layTree(input).marks)
  const now = rows.findIndex((mark) => mark.now)
  return (
    <div class="tree-list">
      <Rows
        name="Search tree"
        columns={5}
        count={rows.length}
        focus={now}
        empty="Nothing is placed."
        depth={(index) => depthOf(rows[index] as TreeMark)}
        head={
          <>
            <span role="columnheader">Level</span>
            <span role="columnheader">Buffer</span>
            <span role="columnheader">Fate</span>
            <span role="columnheader">Offset</span>
            <span role="columnheader">Step</span>
          </>
        }
        rowClass={(index) =>
          `tree-row${rows[index]?.now === true ? ' row-now' : ''}${rows[index]?.path ? ' row-path' : ''}`
        }
        row={(index) => {
          const mark = rows[index] as TreeMark
          const offset = mark.attempt !== null && mark.buffer >= 0 ? mark.attempt.offset : -1
          return (
            <>
              <Cell class="dim">{mark.level > 0 ? thousands(mark.level) : ''}</Cell>
              <Cell class="clip">{mark.buffer >= 0 && <Name of={nameOf(mark.buffer)} />}</Cell>
              <Cell class="clip">{fateWords(mark, words)}</Cell>
              <Cell title={exactBytes(offset)}>{offset >= 0 ? bytesIn(offset, amounts) : ''}</Cell>
              <Cell class="dim">{mark.step >= 0 ? thousands(mark.step) : ''}</Cell>
            </>
          )
        }}
        hover={(index) => actions.canvas.light((rows[index]?.buffer ?? -1) >= 0 ? [rows[index]?.buffer ?? 0] : [], -1)}
        pick={(index) => pick(rows[index] as TreeMark)}
      />
    </div>
  )
}
