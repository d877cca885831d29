/** Sends the page, from a dedicated worker, what was promised. Of a promise that fails the page hears as of any error. */
export function reply(promised: Promise<unknown>): void {
  const page = self as unknown as { postMessage(made: unknown): void }
  promised
    .then((made) => page.postMessage(made))
    .catch((error: unknown) => {
      setTimeout(() => {
        throw error
      })
    })
}
