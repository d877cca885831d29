/** Reads the rows of one sweep, away from the page's own thread. */
import { sayAlive } from '../../../../wasm/client/alive'
import { type Swept, sweptOf } from './stored_rows'

/** A number: of files that are read so far. */
export type SweptReply = number | Swept | { wrong: string }

sayAlive()
const page = self as unknown as { postMessage(reply: SweptReply): void }
self.onmessage = ({ data }: MessageEvent<readonly File[]>) => {
  page.postMessage(0)
  sweptOf(data, (files) => page.postMessage(files)).then(
    (swept) => page.postMessage(swept),
    (error: unknown) => page.postMessage({ wrong: error instanceof Error ? error.message : String(error) }),
  )
}
