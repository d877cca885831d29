/** Keeps the page for visits without a network. A newer one takes over only when the reader says so: nothing is swapped under a running search. */
import { notice } from '../../state/atoms'

function offer(act: () => void): void {
  notice.set({ tone: 'plain', title: 'A new version is ready.', text: '', action: { title: 'Reload', act } })
}

/** Resolves when the page is registered. Without it the page works all the same, only not offline. */
export async function keepOffline(): Promise<void> {
  const { serviceWorker } = navigator
  const registration = await serviceWorker.register(new URL('./sw.js', document.baseURI))
  // on a first visit what takes over is what is there already
  if (serviceWorker.controller === null) return
  let asked = false
  const ready = (worker: ServiceWorker) =>
    offer(() => {
      asked = true
      worker.postMessage('take over')
    })
  const watch = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') ready(worker)
    })
  if (registration.waiting !== null) ready(registration.waiting)
  watch(registration.installing)
  registration.addEventListener('updatefound', () => watch(registration.installing))
  // another tab may have been told to: its reader decides there, this one's here
  serviceWorker.addEventListener('controllerchange', () => {
    if (asked) location.reload()
    else offer(() => location.reload())
  })
}
