/** What a page still waits for: seen from outside, so that the page needs no part for its tests. */
import type { Page, Request, Worker } from 'playwright-core'

declare global {
  interface Window {
    /** what the page waits for now, in words */
    waitsFor(): string[]
    /** addresses of the scripts of workers that it has ended */
    endedWorkers: string[]
    /** the browser's own, which is not counted */
    ownFrame: typeof requestAnimationFrame
  }
}

/** Runs in the page before any script of it: notes the frames, short timers and replies of workers that are due. */
function watch(): void {
  /** by a key of its own each, in words */
  const due = new Map<string, string>()
  const LONGEST = 1000 // ms: what is later is no answer to what was done last

  const { requestAnimationFrame, cancelAnimationFrame, setTimeout, clearTimeout, Worker } = window
  window.ownFrame = requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (callback) => {
    const handle = requestAnimationFrame((now) => {
      due.delete(`frame ${handle}`)
      callback(now)
    })
    due.set(`frame ${handle}`, 'a frame')
    return handle
  }
  window.cancelAnimationFrame = (handle) => {
    due.delete(`frame ${handle}`)
    cancelAnimationFrame(handle)
  }
  window.setTimeout = ((handler: TimerHandler, delay = 0, ...rest: unknown[]) => {
    const run = (...given: unknown[]) => {
      due.delete(`timer ${handle}`)
      if (typeof handler === 'function') handler(...given)
    }
    const handle = setTimeout(run, delay, ...rest)
    if (delay <= LONGEST) due.set(`timer ${handle}`, `a timer of ${delay} ms`)
    return handle
  }) as typeof window.setTimeout
  window.clearTimeout = (handle) => {
    due.delete(`timer ${handle}`)
    clearTimeout(handle)
  }

  let workers = 0
  const interim = ['opening', 'progress', 'explaining', 'alive']
  // asked one thing, without a number, and ended with the answer
  const askedOnce = /\/(import|share)_worker/
  window.endedWorkers = []
  window.Worker = class extends Worker {
    readonly #number = ++workers
    readonly #script: string
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      this.#script = new URL(url, document.baseURI).href
      this.addEventListener('message', ({ data }) => {
        if (data?.type === 'broken') this.#forget()
        else if (!interim.includes(data?.type)) due.delete(`worker ${this.#number} ${data?.id}`)
      })
    }
    override postMessage(message: unknown, options?: Transferable[] | StructuredSerializeOptions) {
      const { id, type } = message as { id?: number; type?: string }
      if (id !== undefined || askedOnce.test(this.#script))
        due.set(`worker ${this.#number} ${id}`, `the worker's answer to ${type ?? this.#script}`)
      super.postMessage(message, options as Transferable[])
    }
    override terminate() {
      this.#forget()
      window.endedWorkers.push(this.#script)
      super.terminate()
    }
    #forget() {
      for (const key of due.keys()) if (key.startsWith(`worker ${this.#number} `)) due.delete(key)
    }
  }

  // what is thrown is told anyway; a loop of resizes is told to the page alone
  window.addEventListener('error', ({ error, message }) => {
    if (error === null || error === undefined) console.error(`without an exception: ${message}`)
  })

  window.waitsFor = () => {
    // what turns for ever is no change that would end
    const moving = document
      .getAnimations()
      .filter(
        (one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      )
    return [...due.values(), ...moving.map(() => 'an animation')]
  }
}

/** Of a page: when each request began whose end has not been told. */
const fetching = new WeakMap<Page, Map<Request, number>>()
/** ms: that a request may go on after the end of a worker that may have made it. */
const LOST = 1000

/** A worker takes what it asked for with it untold: after its end nobody waits for long for what began while it lived. */
function forgetWith(worker: Worker, since: Map<Request, number>): void {
  const born = Date.now()
  worker.on('close', () => {
    const ended = Date.now()
    const forget = () => {
      for (const [request, began] of since)
        if (began <= ended && (began >= born || request.url() === worker.url())) since.delete(request)
    }
    setTimeout(forget, LOST).unref()
  })
}

/** Before a page is opened once more, with nobody listening. */
export function listen(page: Page): void {
  const since = new Map<Request, number>()
  fetching.set(page, since)
  page.on('request', (request) => since.set(request, Date.now()))
  page.on('requestfinished', (request) => since.delete(request))
  page.on('requestfailed', (request) => since.delete(request))
  page.on('worker', (worker) => forgetWith(worker, since))
}

/** Before a page is opened for the first time. */
export async function watchPage(page: Page): Promise<void> {
  listen(page)
  await page.addInitScript(watch)
}

/** ms: an outline that breathes asks for frames for ever, and no other motion of the page takes as long. */
const BREATH = 500
/** Firefox begins an animation when it paints, and a window that it does not paint has it wait for ever. */
const ENDLESS = ['a frame', 'an animation']

/** Until nothing is due for three frames, or nothing but frames and motion for long: everything that was asked for is drawn. Fails if that never comes. */
export async function settled(page: Page, patience = 30_000): Promise<void> {
  const end = Date.now() + patience
  let restless = Date.now()
  for (;;) {
    const { due, ended } = await page.evaluate(async () => {
      await document.fonts.ready
      for (let k = 0; k < 3; k++) {
        await new Promise((resolve) => window.ownFrame(resolve))
        if (window.waitsFor().length > 0) break
      }
      return { due: window.waitsFor(), ended: window.endedWorkers }
    })
    // one that was ended before anybody was told of it takes its script's request along
    const lost = Date.now() - LOST
    for (const [request, began] of fetching.get(page) ?? [])
      if (began > lost || !ended.includes(request.url())) due.push(request.url())
    if (due.length === 0) return
    if (due.some((what) => !ENDLESS.includes(what))) restless = Date.now()
    if (Date.now() - restless > BREATH) return
    if (Date.now() > end) throw new Error(`the page is not at rest: it waits for ${due.join(', ')}`)
  }
}
