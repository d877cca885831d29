/** Work in the background: a list of jobs over a few workers of its own, told one by one, given up at once. */
import { createClient } from '../../../../wasm/client/client'
import type { Client } from '../../../../wasm/client/types'

export interface Crew {
  workers: number
  signal: AbortSignal
  /** for tests */
  make?: (() => Client) | undefined
}

/** Workers for the background: at most two, and one where the page and its own search need the other core. */
export function crewSize(cores: number | undefined): number {
  return (cores ?? 1) >= 4 ? 2 : 1
}

/**
 * Takes the jobs in order, each worker the next one that is left; `told` is called as each is done, which with several workers need not be
 * in order. Resolves when all are done, or on abort at once: nothing is told after that. Rejects with the first error of a job; the rest is given up.
 */
export async function runJobs<J, R>(
  jobs: readonly J[],
  work: (client: Client, job: J) => Promise<R>,
  told: (index: number, result: R) => void,
  { workers, signal, make = createClient }: Crew,
): Promise<void> {
  const clients: Client[] = []
  let next = 0
  let over = signal.aborted
  const end = () => {
    over = true
    for (const client of clients.splice(0)) client.dispose()
  }
  const hand = async () => {
    if (over || next >= jobs.length) return
    const client = make()
    clients.push(client)
    while (!over && next < jobs.length) {
      const index = next
      next += 1
      const result = await work(client, jobs[index] as J)
      if (!over) told(index, result)
    }
  }
  let leave = () => {}
  const aborted = new Promise<void>((resolve) => {
    leave = () => {
      end()
      resolve()
    }
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    const all = Promise.all(Array.from({ length: Math.max(1, workers) }, hand))
    await Promise.race([all, aborted])
  } catch (error) {
    // disposing of a client rejects what it was asked
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', leave)
    end()
  }
}
