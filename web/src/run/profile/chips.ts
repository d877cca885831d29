/** What the open problem needs in the memory of each profile, in a worker of its own: once for all that take buffers in the same way. */
import type { Client } from '../../../../wasm/client/types'
import type { Chip, Need } from '../../state/profile/chips'
import { mannerOf } from '../../state/profile/chips'
import type { Profile } from '../../state/profile/profile'
import { textOf } from '../../state/profile/profile_texts'
import { isPacked, type Opened } from '../../state/workbench_values'
import { runJobs } from '../compare/jobs'
import { knownHeight } from '../solver/known_height'

/** Milliseconds for the least height in memories of one kind. */
const PATIENCE = 500

async function needIn(client: Client, { text, source, model }: Opened, profile: Profile): Promise<Need> {
  const graph = model !== undefined && !(text instanceof Blob)
  const answer = await (graph
    ? client.openGraph(text, source.kind === 'model' ? source.lowering : {}, profile)
    : isPacked(text)
      ? Promise.reject(new Error('a graph that was not lowered'))
      : client.open(text, profile))
  // several memories are not to be found in one
  if (answer.ok && answer.problem.pools !== undefined) return { ok: false, why: 'The problem has memories of its own.' }
  if (answer.ok) return { ok: true, height: await knownHeight(client, answer.problem, PATIENCE) }
  const [first] = answer.errors
  return { ok: false, why: first === undefined ? 'It was not taken.' : `${first.field} ${first.message}` }
}

/** told: as soon as all are known; never after an abort. */
export async function fitChips(
  opened: Opened,
  profiles: readonly Profile[],
  told: (chips: Chip[]) => void,
  signal: AbortSignal,
  make?: () => Client,
): Promise<void> {
  const manners = new Map(profiles.map((profile) => [mannerOf(profile), profile]))
  const needs = new Map<string, Need>()
  const jobs = [...manners]
  const tell = (k: number, need: Need) => needs.set(jobs[k]?.[0] ?? '', need)
  await runJobs(jobs, (client, [, profile]) => needIn(client, opened, profile), tell, { workers: 1, signal, make })
  if (signal.aborted) return
  const none: Need = { ok: false, why: 'It was not taken.' }
  told(
    profiles.map((profile) => ({
      profile,
      memory: textOf(profile.id)?.memory ?? '',
      need: needs.get(mannerOf(profile)) ?? none,
    })),
  )
}
