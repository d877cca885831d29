/** Has certificates written and checked in a worker; another problem, result or a click gives one up. */
import { makeCertificate } from '../../../../wasm/client/certificate/certificate'
import type { CertificateNews, CertificateTask } from '../../../../wasm/client/certificate/certificate'
import type { Explanation, RunConfig, RunResult } from '../../../../wasm/client/types'
import { ALWAYS, pausesWhile, inSlices } from '../../base/slices'
import { baseName, saveBlob, saveText } from '../../export/files'
import { type Certified, certificate, type CertificateState } from '../../state/problem/certificate'
import { workbench } from '../../state/workbench_cells'
import type { Session } from '../session'
import { pickRows } from './open_unfit'

export type Make = typeof makeCertificate

let end = new AbortController()

export function stopCertificate(): void {
  end.abort()
  certificate.set(null)
}

async function certify(
  session: Session,
  of: Certified,
  config: RunConfig,
  buffers: number[] | null,
  make: Make,
): Promise<void> {
  end.abort()
  end = new AbortController()
  const { signal } = end
  const set = (state: CertificateState) => {
    if (!signal.aborted) certificate.set({ of, state })
  }
  const heard = (news: CertificateNews) => {
    if (news.kind === 'progress') set({ kind: 'making', steps: news.steps, of: config.budget })
    if (news.kind === 'checking') set({ kind: 'checking' })
  }
  set({ kind: 'making', steps: 0, of: config.budget })
  const stop = workbench.opened.subscribe(() => stopCertificate())
  try {
    const written = await session.client.exportCsv(null)
    const whole = typeof written === 'string' ? written : await written.text()
    const part = buffers === null ? null : await inSlices(pickRows(whole, buffers), pausesWhile(ALWAYS))
    const task: CertificateTask = { csv: part ?? whole, profile: workbench.profile.get(), config }
    const made = signal.aborted ? null : await make(task, signal, heard)
    if (made !== null) set({ kind: 'made', ...made, csv: part })
  } catch (error) {
    set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    stop()
  }
}

/** Of the run that has ended: taken again from its start, step by step the same. */
export async function certifyRun(session: Session, make: Make = makeCertificate): Promise<void> {
  const state = workbench.run.get()
  if (state.kind !== 'ended') return
  const { config, result } = state
  await certify(session, result, { ...config, budget: result.stats.steps }, null, make)
}

/** Of a set of buffers that alone do not fit, by the exact solver. */
export async function certifySet(
  session: Session,
  of: Explanation,
  capacity: number,
  make: Make = makeCertificate,
): Promise<void> {
  const config = { solver: 'exact', capacity, seed: workbench.seed.get(), budget: workbench.budget.get(), options: {} }
  await certify(session, of, config, of.buffers, make)
}

/** The certificate as a file; of a part of the problem that part, too, by whose rows it goes. */
export function saveCertificate(of: RunResult | Explanation): void {
  const now = certificate.get()
  if (now === null || now.of !== of || now.state.kind !== 'made') return
  const opened = workbench.opened.get()
  const { csv, text } = now.state
  const name = `${baseName(opened)}${csv === null ? '' : '.unfit'}`
  if (csv !== null) saveText(csv, `${name}.csv`, 'text/csv')
  saveBlob(text, `${name}.proof`)
}
