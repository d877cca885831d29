// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
/** The candidates of the open decision point, each with the heuristic that proposed it; of a learned jump those of the way back before them. */
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { candidate as step, unit, frame, opened } from '../../state/workbench'
import { type Candidate, decisionPoint, SOURCES } from '../../state/step/decision_point'
import { useActions } from '../page/context'
import { I, type IconName } from '../controls/icons'
import { Name } from '../controls/name'
import { Cell, ROW, Rows } from '../controls/virtual_rows'
import { useRead } from '../controls/use_read'
import { ScoredJump } from './scored_jump'
import '../../styles/later'

/** Rows that are in sight without scrolling. */
const IN_SIGHT = 5
const PROMOTED = 3

const STATES: Record<Candidate['state'], { icon: IconName | null; title: string }> = {
  failed: { icon: 'cross', title: 'Tried here: a minor backtrack' },
  next: { icon: 'step', title: 'Tried next' },
  waits: { icon: null, title: 'Waits' },
}

export function Candidates() {
  return (
    <>
      <ScoredJump />
      <OpenPoint />
    </>
  )
}

function OpenPoint() {
  const actions = useActions()
  const shown = useRead(frame)
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  const tried = useRead(step)?.buffer
  if (shown === null || problem === undefined) return null
  const point = decisionPoint(shown)
  if (point === null) return null
  const { candidates, before, level } = point
  const at = (index: number) => candidates[index]?.buffer ?? 0
  return (
    <section class="tab-part candidates" aria-labelledby="candidates-head">
      <header class="section-head">
        <h2 id="candidates-head">Candidates</h2>
        <span class="section-note">
          {before > 0 && `${thousands(before)} tried before, `}for level {thousands(level)}
        </span>
      </header>
      <div class="candidates-box" style={{ height: `${(Math.min(IN_SIGHT, candidates.length) + 1) * ROW + 1}px` }}>
        <Rows
          name="Candidates"
          columns={5}
          count={candidates.length}
          empty=""
          focus={candidates.findIndex((candidate) => candidate.state === 'next')}
          head={
            <>
              <span role="columnheader" aria-label="State" />
              <span role="columnheader">Buffer</span>
              <span role="columnheader" title="Lowest feasible position">
                Lowest
              </span>
              <span role="columnheader">Proposed by</span>
              <span role="columnheader">Phase</span>
            </>
          }
          rowClass={(index) =>
            `candidates-row candidate-${candidates[index]?.state ?? 'waits'}${at(index) === tried ? ' row-now' : ''}`
          }
          row={(index) => {
            const candidate = candidates[index]
            if (candidate === undefined) return null
            const { icon, title } = STATES[candidate.state]
            const [source, rule] = SOURCES[candidate.source] ?? ['', '']
            return (
              <>
                <Cell title={title}>{icon !== null && <I name={icon} />}</Cell>
                <Cell class="clip" title={problem.ids.at(candidate.buffer)}>
                  <Name of={problem.ids.at(candidate.buffer)} />
                </Cell>
                <Cell title={exactBytes(candidate.offset)}>{bytesIn(candidate.offset, amounts)}</Cell>
                <Cell class={`clip${candidate.source === PROMOTED ? ' promoted' : ''}`} title={rule}>
                  {candidate.source === PROMOTED && <I name="diamond" />}
                  {source}
                </Cell>
                <Cell class="dim">{thousands(candidate.phase + 1)}</Cell>
              </>
            )
          }}
          hover={(index) => actions.canvas.light(index < 0 ? [] : [at(index)], -1)}
          pick={(index) => actions.canvas.reveal(at(index))}
        />
      </div>
    </section>
  )
}
