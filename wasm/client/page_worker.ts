import type { WorkerLike } from './client'
import { watched } from './watched'

export const pageWorker = (): WorkerLike =>
  watched(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'arenascope' }))
