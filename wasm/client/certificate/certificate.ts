/** Makes certificates in a worker of their own, which is fetched for the first. */
import { errorWhenGone } from '../alive'
import type { Certificate, CertificateNews, CertificateTask } from './certify'

export type { Certificate, CertificateNews, CertificateTask } from './certify'

/** As much of a worker as is used here. */
export interface Certifier {
  onmessage: ((event: MessageEvent<CertificateNews>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(task: CertificateTask): void
  terminate(): void
}

const makeCertifier = (): Certifier =>
  errorWhenGone(
    new Worker(new URL('./certificate_worker.ts', import.meta.url), { type: 'module', name: 'arenascope-certificate' }),
  )

/** Resolves with null if the signal ends it. Rejects with what to say. */
export function makeCertificate(
  task: CertificateTask,
  signal: AbortSignal,
  heard: (news: CertificateNews) => void,
  make: () => Certifier = makeCertifier,
): Promise<Certificate | null> {
  return new Promise((resolve, reject) => {
    const worker = make()
    const end = (certificate: Certificate | null) => {
      worker.terminate()
      resolve(certificate)
    }
    const fail = (message: string) => {
      worker.terminate()
      reject(new Error(message))
    }
    signal.addEventListener('abort', () => end(null), { once: true })
    worker.onmessage = ({ data }) => {
      if (signal.aborted) return
      if (data.kind === 'made') end(data.certificate)
      else if (data.kind === 'failed') fail(data.message)
      else heard(data)
    }
    worker.onerror = ({ message }) => fail(message || 'The part that writes certificates could not be fetched.')
    worker.postMessage(task)
  })
}
