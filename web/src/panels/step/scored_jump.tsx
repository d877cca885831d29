// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
/** Where a learned jump could go back to, each level with its score, and which it took. */
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { frame, opened } from '../../state/workbench'
import { jumpTargets, levelText, scoreText } from '../../state/step/jump_targets'
import { useActions } from '../page/context'
import { Name } from '../controls/name'
import { I } from '../controls/icons'
import { Cell, ROW, Rows } from '../controls/virtual_rows'
import { useRead } from '../controls/use_read'

/** Rows that are in sight without scrolling. */
const IN_SIGHT = 5

export function ScoredJump() {
  const actions = useActions()
  const shown = useRead(frame)
  const problem = useValue(opened)?.problem
  if (shown === null || problem === undefined) return null
  const jump = jumpTargets(shown)
  if (jump === null) return null
  const { targets, jump: told } = jump
  const at = (index: number) => targets[index]?.buffer ?? 0
  return (
    <section class="tab-part candidates jump-targets" aria-labelledby="jump-head">
      <header class="section-head">
        <h2 id="jump-head">Where to go back</h2>
        <span class="section-note">
          {told.drawn ? `none reaches ${scoreText(told.threshold)}: by lot` : `${thousands(targets.length)} scored`}
        </span>
      </header>
      <div class="candidates-box" style={{ height: `${(Math.min(IN_SIGHT, targets.length) + 1) * ROW + 1}px` }}>
        <Rows
          name="Where to go back"
          columns={5}
          count={targets.length}
          empty=""
          focus={targets.findIndex((target) => target.chosen)}
          head={
            <>
              <span role="columnheader" aria-label="Chosen" />
              <span role="columnheader">Buffer</span>
              <span role="columnheader">Level</span>
              <span
                role="columnheader"
                title="Of 10: how sure the model is that a plan still exists there and that what is taken back is in its way"
              >
                Score
              </span>
              <span role="columnheader" title="The score once far jumps count less: the highest decides">
                Weighted
              </span>
            </>
          }
          rowClass={(index) => `candidates-row${targets[index]?.chosen ? ' candidate-next' : ''}`}
          row={(index) => {
            const target = targets[index]
            if (target === undefined) return null
            const { buffer, level, score, weighted, chosen, best } = target
            return (
              <>
                <Cell title={chosen ? 'It goes back there' : 'Not taken'}>{chosen && <I name="back" />}</Cell>
                <Cell class="clip" title={problem.ids.at(buffer)}>
                  <Name of={problem.ids.at(buffer)} />
                </Cell>
                {level === told.fallback ? (
                  <Cell class="by-rules" title="Where the rules would go">
                    {levelText(level)}
                  </Cell>
                ) : (
                  <Cell class="dim">{levelText(level)}</Cell>
                )}
                <Cell>{scoreText(score)}</Cell>
                <Cell class={best ? 'promoted' : ''} title={best ? 'The highest' : undefined}>
                  {scoreText(weighted)}
                </Cell>
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
