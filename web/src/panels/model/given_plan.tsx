/** The plan that the file brought along, beside ours. */
import { bytesIn, type ByteUnit, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { fileOpen, filePlan, problem, stats, unit, planShownFrom } from '../../state/workbench'
import { Bytes } from '../controls/amounts'
import { useActions } from '../page/context'
import { Fact } from '../solver/result'

function verdict(theirs: number, ours: number): string {
  if (ours === theirs) return 'Both are equally high.'
  const better = ours < theirs
  return `Ours is ${percent(Math.abs(1 - ours / theirs))} ${better ? 'lower' : 'higher'}.`
}

/** What the tool took beyond what its buffers need at once. best: the least that is known, or proven. */
function waste(name: string, reserved: number, best: number, proven: boolean, amounts: ByteUnit): string {
  const fits = `the same lifetimes fit in ${bytesIn(best, amounts)}${proven ? ', proven' : ''}`
  const rest = reserved - best
  return rest <= 0
    ? `${name} took ${bytesIn(reserved, amounts)}, and no less would do.`
    : `${name} took ${bytesIn(reserved, amounts)}; ${fits}: ${percent(rest / reserved)} of it is fragmentation.`
}

export function GivenPlan() {
  const actions = useActions()
  const plan = useValue(filePlan)
  const { name = '', reserved } = useValue(fileOpen)?.plan ?? {}
  const given = useValue(problem)
  const ours = useValue(stats)?.height ?? -1
  const shown = useValue(planShownFrom) === 'file'
  const amounts = useValue(unit)
  if (plan === null || given === null) return null
  const clash = plan.clash
  return (
    <section class="tab-part" aria-labelledby="given-head">
      <header class="section-head">
        <h2 id="given-head">The file's own plan</h2>
        <span class="section-note">{name}</span>
      </header>
      {reserved !== undefined && (
        <p class="verdict">
          {ours >= 0
            ? waste(name, reserved, ours, ours <= given.lowerBound, amounts)
            : `${name} took ${bytesIn(reserved, amounts)}; the same lifetimes need at least ${bytesIn(given.lowerBound, amounts)}.`}
        </p>
      )}
      <dl class="facts">
        <Fact name="Its height">
          <Bytes value={plan.height} />
        </Fact>
        <Fact name="Our height">{ours < 0 ? '–' : <Bytes value={ours} />}</Fact>
        <Fact name="Lower bound">
          <Bytes value={given.lowerBound} />
        </Fact>
        <Fact name="Placed">
          {thousands(plan.placed)} of {thousands(given.count)}
        </Fact>
      </dl>
      {ours >= 0 && plan.placed === given.count && <p class="hint">{verdict(plan.height, ours)}</p>}
      {plan.placed < given.count && (
        <p class="hint">It leaves the others to the runtime, so the heights do not compare.</p>
      )}
      {clash !== null && (
        <p class="hint">
          {given.ids.at(clash[0])} and {given.ids.at(clash[1])} share addresses while both are alive, as this graph is
          lowered here: {bytesIn(given.size[clash[0]] ?? 0, amounts)} and {bytesIn(given.size[clash[1]] ?? 0, amounts)}.
          A file may mean that.
        </p>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={shown}
          onChange={(event) => actions.canvas.showFilePlan(event.currentTarget.checked)}
        />
        <span>Show it on the canvas</span>
      </label>
    </section>
  )
}
