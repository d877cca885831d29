/** The package's worker in the place of the page's, which fetches modules by family. */
import type { WorkerLike } from '../../../wasm/client/host'
import { watched } from '../../../wasm/client/watched'

export const pageWorker = (): WorkerLike =>
  watched(new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'arenascope' }))
