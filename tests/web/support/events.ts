/** Events as the core would say them. */
import { decodeEvent, EVENT_NUMBERS, type EventOf } from '../../../wasm/client/events'
import type { EventKind } from '../../../wasm/client/types'

/** An event of that kind which says nothing but zeros. */
function blank<K extends EventKind>(kind: K): EventOf<K> {
  const numbers = new Float64Array(EVENT_NUMBERS)
  // the decoder throws behind the last kind
  for (let k = 0; ; k++) {
    numbers[1] = k
    const event = decodeEvent(numbers, 0, new Uint32Array())
    if (event.kind === kind) return event as EventOf<K>
  }
}

/** What is not said is 0, false or empty. */
export function eventWith<K extends EventKind>(kind: K, said: Partial<EventOf<K>>): EventOf<K> {
  return { ...blank(kind), ...said }
}
