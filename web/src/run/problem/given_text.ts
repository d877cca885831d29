/** The text of a problem, of whatever it was given as. */
import type { Text } from '../../../../wasm/client/types'
import { Later } from '../../base/later'
import { type Given, isPacked } from '../../state/workbench_values'

const writer = new Later(() => import('../../import/graph_csv'))

/** Of a packed graph its graph CSV, which is written now: nobody keeps it longer than it is needed. */
export async function textOf(given: Given): Promise<Text> {
  return isPacked(given) ? (await writer.get()).writePackedCsv(given) : given
}
