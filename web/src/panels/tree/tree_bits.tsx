/** Beside the tree: the bubble of a mark, and what the glyphs mean. */
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { TreeMark } from '../../layout/tree/tree'
import { unit } from '../../state/workbench'
import { fateWords } from '../../state/tree/tell_tree'
import { Bubble, Row } from '../canvas/bubble'
import { nameOf, useWords } from './tree_input'

const HINTS: Partial<Record<TreeMark['kind'], string>> = {
  subtree: 'click to fold or unfold',
  fold: 'click to unfold',
  above: 'click to show more',
  more: 'click to list them',
  unknown: 'click to look further back',
}

export function TreeBubble({ mark, x, y }: { mark: TreeMark; x: number; y: number }) {
  const words = useWords()
  const amounts = useValue(unit)
  if (words === null) return null
  const { attempt } = mark
  const hint = HINTS[mark.kind] ?? (mark.step >= 0 ? 'click to go there' : '')
  const offset = attempt !== null && mark.buffer >= 0 ? attempt.offset : -1
  return (
    <Bubble x={x} y={y} title={mark.buffer >= 0 ? nameOf(mark.buffer) : fateWords(mark, words)}>
      {mark.buffer >= 0 && <Row name="fate" value={fateWords(mark, words)} />}
      {mark.level > 0 && <Row name="level" value={thousands(mark.level)} />}
      {offset >= 0 && <Row name="offset" value={bytesIn(offset, amounts)} title={exactBytes(offset)} />}
      {mark.step >= 0 && <Row name="step" value={thousands(mark.step)} />}
      {hint !== '' && <p class="tree-hint">{hint}</p>}
    </Bubble>
  )
}

/** The glyphs that no rule explains; those of the rules stand among the fates. */
export function TreeLegend({ complete }: { complete: boolean }) {
  return (
    <ul class="tree-legend" aria-label="Glyphs">
      <li>
        <svg viewBox="0 0 14 22" width="14" height="18" aria-hidden="true" focusable="false">
          <circle class="legend-disc" cx="7" cy="6" r="4.6" />
          <path class="legend-triangle" d="M7 12l5.5 8h-11Z" />
        </svg>
        {complete ? 'exhausted subtree, with its steps' : 'taken back, with its steps'}
      </li>
      <li>
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" focusable="false">
          <circle class="legend-ring" cx="7" cy="7" r="4.4" />
        </svg>
        not tried yet
      </li>
      <li>
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" focusable="false">
          <rect class="legend-now" x="1" y="3" width="12" height="8" rx="2" />
        </svg>
        this step
      </li>
    </ul>
  )
}
