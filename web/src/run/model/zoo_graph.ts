/** A network of ours as the graph that the core lowers. */
import { type PackedGraph, packGraph } from '../../import/packed'
import { zoo } from '../../state/model/zoo'
import type { Entry } from '../../state/model/zoo_networks'

/** null if there is none of that id in this version. Rejects with a sentence for parameters that it cannot have. */
export async function zooGraph(
  id: string,
  options: Record<string, string>,
): Promise<{ network: Entry; graph: PackedGraph } | null> {
  const { find, make } = await zoo.get()
  const network = find(id)
  return network === undefined ? null : { network, graph: packGraph(await make(network, options)) }
}
