/** A run that may take only so long: what it has found by then is what there is. */
import type { Client, RunConfig, RunStats } from '../../../../wasm/client/types'

export async function within(client: Client, config: RunConfig, milliseconds: number): Promise<RunStats> {
  const timer = setTimeout(() => client.cancel(), milliseconds)
  try {
    return (await client.run(config, () => {})).stats
  } finally {
    clearTimeout(timer)
  }
}
