/** A proof that others can check: written on demand, checked by a checker that shares nothing with the solvers, and saved. */
import type { Explanation } from '../../../../wasm/client/types'
import { bytes, exactly, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { certifyRun, certifySet, saveCertificate, stopCertificate } from '../../run/solver/certificates'
import { type Certified, certificate, type CertificateState, hasWords } from '../../state/problem/certificate'
import { opened, run, selects, unit } from '../../state/workbench'
import { Pill } from '../controls/pill'
import { useActions } from '../page/context'
import '../../styles/later'

const TITLE = 'Why there is no such plan, in small steps that anyone can check without this solver'

function Making({ state }: { state: CertificateState & { kind: 'making' | 'checking' } }) {
  const checking = state.kind === 'checking'
  return (
    <div class="row" role="status">
      <span class="hint">
        {checking
          ? 'Checking the certificate.'
          : `Writing the certificate: ${thousands(state.steps)} steps${state.of > 0 ? ` of ${thousands(state.of)}` : ''}.`}
      </span>
      <span class="spring" />
      <button type="button" class="button" onClick={stopCertificate}>
        Cancel
      </button>
    </div>
  )
}

function Made({ of, state }: { of: Certified; state: CertificateState & { kind: 'made' } }) {
  const amounts = useValue(unit)
  const { proven, text, csv } = state
  if (proven < 0)
    return (
      <p class="hint" role="status">
        There is no certificate: what this solver has shown follows from no steps that a certificate has words for. That
        of the exact solver does.
      </p>
    )
  return (
    <>
      <p class="row row-wrap" role="status">
        <Pill tone="ok" icon="tick" text="Checked" />
        <span>no plan is within {exactly(proven, amounts)}</span>
      </p>
      <div class="row row-wrap">
        <button type="button" class="button" onClick={() => saveCertificate(of)}>
          Save the certificate
        </button>
        <span class="hint">
          {bytes(text.size)}
          {csv !== null && ', and its buffers as CSV'}
        </span>
      </div>
    </>
  )
}

function Certificate({ of, make }: { of: Certified; make: () => void }) {
  const now = useValue(certificate)
  const state = now?.of === of ? now.state : null
  if (state?.kind === 'making' || state?.kind === 'checking') return <Making state={state} />
  if (state?.kind === 'made') return <Made of={of} state={state} />
  return (
    <>
      {state?.kind === 'failed' && (
        <p class="hint why" role="alert">
          There is no certificate: {state.message}
        </p>
      )}
      <div class="row">
        <button type="button" class="button" title={TITLE} onClick={make}>
          Certificate
        </button>
        <span class="hint">a proof that others can check</span>
      </div>
    </>
  )
}

/** Beside the verdict of a run. */
export function RunCertificate() {
  const actions = useActions()
  const state = useValue(run)
  const problem = useValue(opened)?.problem
  const chooses = useValue(selects)
  if (state.kind !== 'ended' || problem === undefined || !hasWords(problem)) return null
  const { outcome } = state.result.stats
  const graph = state.result.plan !== undefined || chooses
  if (graph || (outcome !== 'infeasible' && outcome !== 'optimal')) return null
  return (
    <div class="certificate">
      <Certificate of={state.result} make={() => void certifyRun(actions.session)} />
    </div>
  )
}

/** Under the buffers that alone do not fit. */
export function SetCertificate({ of, capacity }: { of: Explanation; capacity: number }) {
  const actions = useActions()
  const problem = useValue(opened)?.problem
  if (problem === undefined || !hasWords(problem)) return null
  return <Certificate of={of} make={() => void certifySet(actions.session, of, capacity)} />
}
