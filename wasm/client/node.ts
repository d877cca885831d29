import type { MessagePort, Worker } from 'node:worker_threads'
import type { WorkerLike } from './host'
import { receiver } from './driver/driver'
import type { Reply, Request } from './protocol'
import type { Modules } from './visit'

/** A worker of Node as the client wants it. */
export function adapted(worker: Worker): WorkerLike {
  const like: WorkerLike = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    onclose: null,
    postMessage: (request: Request, transfer: ArrayBuffer[]) => worker.postMessage(request, transfer),
    terminate: () => void worker.terminate(),
  }
  worker.on('message', (data: Reply) => like.onmessage?.({ data } as MessageEvent<Reply>))
  worker.on('exit', () => like.onclose?.())
  worker.on('error', (error) => like.onerror?.({ message: error.message } as ErrorEvent))
  return like
}

/** What a worker of Node does. */
export function serveNode(port: MessagePort, modules: Modules): void {
  const answer = { post: (reply: Reply, transfer: ArrayBuffer[]) => port.postMessage(reply, transfer) }
  // a channel would not do: here a port hands out up to a thousand of its messages before another has its turn
  port.on(
    'message',
    receiver(answer, modules, performance, (task) => setImmediate(task)),
  )
}
