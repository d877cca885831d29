/** The open model for a second worker: that worker gets the same graph, lowered in the same way for the same memory. */
import type {
  Client,
  GraphModel,
  OpenGraphResult,
  OpenResult,
  PackedGraph,
  ProfileSpec,
  RunConfig,
  RunResult,
  Text,
} from '../../../../wasm/client/types'
import { workbench } from '../../state/workbench_cells'
import type { Opened } from '../../state/workbench_values'

export interface OpenModel {
  opened: Opened
  model: GraphModel
  graph: string | PackedGraph
  lowering: Record<string, string>
  profile: ProfileSpec | null
}

/** null: what is open is no model. */
export function openModel(): OpenModel | null {
  const opened = workbench.opened.get()
  if (opened?.model === undefined || opened.source.kind !== 'model' || opened.text instanceof Blob) return null
  const { model, text: graph, source } = opened
  return { opened, model, graph, lowering: source.lowering, profile: workbench.profile.get() }
}

const has = new WeakMap<Client, Opened>()

/** Gives a worker the model, once. Rejects if it refuses it. */
export async function giveModel(client: Client, { opened, graph, lowering, profile }: OpenModel): Promise<void> {
  if (has.get(client) === opened) return
  const answer = await client.openGraph(graph, lowering, profile)
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'The model could not be read.')
  has.set(client, opened)
}

/** A problem for a worker of its own. */
export interface GivenProblem {
  /** buffer CSV; of a model as it was lowered */
  csv: Text
  profile: ProfileSpec | null
  /** absent, null: it is no model */
  model?: Pick<OpenModel, 'graph' | 'lowering'> | null
}

/** A model crosses as its graph and is lowered there, in the same way: what came as arrays is not read again as text. */
export function openProblem(
  client: Client,
  { csv, profile, model }: GivenProblem,
): Promise<OpenResult | OpenGraphResult> {
  return model ? client.openGraph(model.graph, model.lowering, profile) : client.open(csv, profile)
}

/** A run that may take only so many milliseconds: what it has found by then is what there is. */
export async function within(client: Client, config: RunConfig, milliseconds: number): Promise<RunResult> {
  const timer = setTimeout(() => client.cancel(), milliseconds)
  try {
    return await client.run(config, () => {})
  } finally {
    clearTimeout(timer)
  }
}
