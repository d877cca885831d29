/** A network of ours as the graph CSV that the core lowers. */
import { writeGraphCsv } from '../../import/graph_csv'
import { zoo } from '../../state/model/zoo'
import type { Entry } from '../../state/model/zoo_networks'

/** null if there is none of that id in this version. Rejects with a sentence for parameters that it cannot have. */
export async function zooText(
  id: string,
  options: Record<string, string>,
): Promise<{ network: Entry; text: string } | null> {
  const { find, make } = await zoo.get()
  const network = find(id)
  return network === undefined ? null : { network, text: writeGraphCsv(await make(network, options)) }
}
