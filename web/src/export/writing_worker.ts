/**
 * Puts the pieces of a long text together. A page that makes a file of many pieces waits for the browser to take each of them; here only the
 * worker does.
 */

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<string | { type: string }>) => void) | null
  postMessage(made: Blob): void
}

const pieces: string[] = []

async function made(type: string): Promise<Blob> {
  const whole = new Blob(pieces, { type })
  // once its end can be read, the browser has all of it, and whoever asks for its address need not wait
  await whole.slice(-1).arrayBuffer()
  return whole
}

const scope = self as unknown as Scope
scope.onmessage = ({ data }) => {
  if (typeof data === 'string') {
    pieces.push(data)
    return
  }
  made(data.type)
    .then((whole) => scope.postMessage(whole))
    .catch((error: unknown) => {
      // of a promise that fails the page hears nothing
      setTimeout(() => {
        throw error
      })
    })
}
