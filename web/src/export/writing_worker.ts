/**
 * Puts the pieces of a long text together. A page that makes a file of many pieces waits for the browser to take each of them; here only the
 * worker does.
 */
import { sayAlive } from '../../../wasm/client/alive'
import { reply } from '../base/reply'

const pieces: string[] = []

async function made(type: string): Promise<Blob> {
  const whole = new Blob(pieces, { type })
  // once its end can be read, the browser has all of it, and whoever asks for its address need not wait
  await whole.slice(-1).arrayBuffer()
  return whole
}

sayAlive()
self.onmessage = ({ data }: MessageEvent<string | { type: string }>) => {
  if (typeof data === 'string') pieces.push(data)
  else reply(made(data.type))
}
