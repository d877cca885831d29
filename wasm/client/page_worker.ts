import type { WorkerLike } from './host'
import { watched } from './watched'

export const pageWorker = (): WorkerLike =>
  watched(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'arenascope' }))
