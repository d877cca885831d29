/** Beside the canvas: a model that does not fit as it is, and what another order and copies outside would make of it. */
import { useEffect, useState } from 'preact/hooks'
import { bytesIn, exactBytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { ReorderOfferWatch } from '../../run/model/reorder_offer_watch'
import { manifest } from '../../state/atoms'
import { type Amount, type ReorderOffer, reorderOffer, planner } from '../../state/model/reorder_offer'
import { capacity, goalOf, run, shownSolver, unit } from '../../state/workbench'
import { panels, tab, width } from '../../state/ui'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import '../../styles/later'

/** No more than was proven. */
function Proven({ amount: { bytes, proven } }: { amount: Amount }) {
  const amounts = useValue(unit)
  return (
    <>
      {proven ? '' : 'at most '}
      <b class="mono" title={exactBytes(bytes)}>
        {bytesIn(bytes, amounts)}
      </b>
    </>
  )
}

function Words({ now }: { now: Exclude<ReorderOffer, { kind: 'none' | 'looking' }> }) {
  const amounts = useValue(unit)
  const limit = bytesIn(useValue(capacity), amounts)
  if (now.kind === 'small')
    return (
      <p>
        No order helps in {limit}: <b>{now.operator}</b> alone needs{' '}
        <b class="mono" title={exactBytes(now.needs)}>
          {bytesIn(now.needs, amounts)}
        </b>
        .
      </p>
    )
  return (
    <p>
      Reordered it needs <Proven amount={now.peak} />
      {now.kind === 'fits' && <>: it fits in {limit}.</>}
      {now.kind === 'moves' && now.traffic !== null && (
        <>
          ; in {limit} it fits with <Proven amount={now.traffic} /> of traffic to DRAM.
        </>
      )}
      {now.kind === 'moves' && now.traffic === null && <>; whether it fits in {limit} with copies outside is open.</>}
    </p>
  )
}

/** The offer is taken: the solver that made it is what is shown, or another one of orders that was asked for less. */
function useTaken(maker: string | undefined): boolean {
  const state = useValue(run)
  const solver = useValue(shownSolver)
  const limit = useValue(capacity)
  if (state.kind === 'idle' || solver?.domain !== 'graph' || state.config.capacity !== limit) return false
  return solver.id === maker || goalOf(state.config) !== 'fit'
}

/** The Model tab stands beside the canvas, and says by itself what can be done. */
function useBeside(): boolean {
  const shown = useValue(tab)
  const size = useValue(width)
  const { side } = useValue(panels)
  return shown === 'model' && size !== 'phone' && !side.shut
}

export function ReorderOfferLine() {
  const actions = useActions()
  const now = useValue(reorderOffer)
  const known = planner(useValue(manifest))
  const [closed, close] = useState<ReorderOffer | null>(null)
  const taken = useTaken(known?.id)
  const beside = useBeside()
  useEffect(() => {
    const watch = new ReorderOfferWatch()
    return () => watch.stop()
  }, [])
  if (now.kind === 'none' || now.kind === 'looking' || now === closed || taken || known === null) return null
  if (now.kind === 'small' && beside) return null
  const goal = now.kind === 'fits' ? 'height' : 'traffic'
  return (
    <aside class="offer" aria-label="Offer">
      <Words now={now} />
      {now.kind === 'small' ? (
        <button type="button" class="button primary" onClick={() => actions.page.showTab('model')}>
          What can be done
        </button>
      ) : (
        <button type="button" class="button primary" onClick={() => void actions.solver.runFor(known.id, goal)}>
          Show me
        </button>
      )}
      <button type="button" class="icon-button" aria-label="Close the offer" onClick={() => close(now)}>
        <I name="close" />
      </button>
    </aside>
  )
}
