/** Certificates beside the page: writing and checking block until they end. */
import { sayAlive } from '../alive'
import coreUrl from '../../../build/wasm/core.wasm?url'
import { type CertificateNews, type CertificateTask, certify } from './certify'
import { fetchModule, instantiate } from '../module'

sayAlive()
self.onmessage = async ({ data }: MessageEvent<CertificateTask>) => {
  const tell = (news: CertificateNews) => self.postMessage(news)
  try {
    const module = await fetchModule(new URL(coreUrl, import.meta.url))
    const both = [await instantiate(module), await instantiate(module)]
    const certificate = certify(() => both.pop() as (typeof both)[0], data, tell)
    tell({ kind: 'made', certificate })
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}
