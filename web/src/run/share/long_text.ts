/** Texts that are too long for the storage of entries, in the browser's database, which holds a good part of the disk. */
import { createStore, delMany, get, keys, set } from 'idb-keyval'
import { LONG_TEXT, type Text } from '../../../../wasm/client/types'
import { PartError } from '../../base/later'

/** Texts that stay: of several tabs, and of what was open before. */
const MOST = 4

const store = createStore('arenascope', 'texts')

/** Where it is kept from now on; the oldest give way. Rejects if there is no room. */
export async function keepLong(text: Text): Promise<string> {
  const key = `${Date.now()} ${crypto.getRandomValues(new Uint32Array(1))[0]}`
  await set(key, new Blob([text]), store)
  const all = (await keys<string>(store)).sort()
  await delMany(all.slice(0, -MOST), store)
  return key
}

/** Rejects if it is not there any more. */
export async function readLong(key: string): Promise<Text> {
  const kept = await get<Blob>(key, store)
  if (kept === undefined) throw new PartError('The problem of the last visit is no longer kept in this browser.')
  return kept.size > LONG_TEXT ? kept : kept.text()
}
