/** The page inside of another: it takes that page's messages, and tells it what is shown. Only who has spoken is told. */
import { LONG_TEXT } from '../../../../wasm/client/types'
import { Later } from '../../base/later'
import * as a from '../../state/atoms'
import { leastCapacity } from '../../state/problem/pools'
import { usable } from '../../state/profile/profile'
import { type Asked, askedOf, type Told } from '../../state/share/messages'
import type { Shared } from '../../state/share/schema'
import { workbench } from '../../state/workbench_cells'
import type { Actions } from '../actions'

const profiles = new Later(() => import('../../state/profile/profile_texts'))

/** The window around, and what comes from there. */
export interface Around {
  post(told: Told, origin: string): void
  /** Calls back with each message of that window alone. */
  hear(callback: (data: unknown, origin: string) => void): () => void
}

const around: Around = {
  post: (told, origin) => window.parent.postMessage(told, origin),
  hear: (callback) => {
    const heard = ({ source, data, origin }: MessageEvent<unknown>) => {
      // a file or a sandboxed frame has no origin that could be named
      if (source === window.parent) callback(data, origin === 'null' ? '*' : origin)
    }
    window.addEventListener('message', heard)
    return () => window.removeEventListener('message', heard)
  },
}

type Open = Extract<Asked, { type: 'arenascope/open' }>

/** The search in the memory of a profile of this version; a text: there is none of that id. */
async function placed({ search, profile }: Open): Promise<Shared | string> {
  if (profile === undefined) return search
  const found = (await profiles.get()).known.find(({ id }) => id === profile)
  if (found === undefined) return `profile: there is no “${profile}”`
  return { ...search, profile: found, capacity: search.capacity > 0 ? search.capacity : usable(found) }
}

async function open(actions: Actions, asked: Open): Promise<string | null> {
  const search = await placed(asked)
  if (typeof search === 'string') return search
  const { source } = search
  const long = source.kind === 'text' && source.text.length > LONG_TEXT ? { long: new Blob([source.text]) } : {}
  const before = workbench.opened.get()
  const opened = await actions.share.openShared(() => ({ ok: true, shared: search, ...long }))
  if (opened !== true) return 'it could not be opened'
  if (workbench.opened.get() === before) return a.notice.get()?.text || 'the problem is refused'
  // without a limit the least that could be enough
  const now = workbench.opened.get()
  if (workbench.capacity.get() === 0 && now !== null) workbench.capacity.set(leastCapacity(now.problem))
  if (workbench.run.get().kind === 'idle') await actions.session.run()
  if (asked.step !== undefined && workbench.run.get().kind === 'ended') actions.player.seek(asked.step)
  return null
}

function result(): Told | null {
  const run = workbench.run.get()
  if (run.kind !== 'ended') return null
  const { outcome, height, lowerBound, steps, digest } = run.result.stats
  return { type: 'arenascope/result', outcome, height: height < 0 ? null : height, lowerBound, steps, digest }
}

function step(): Told {
  const run = workbench.run.get()
  const steps = run.kind === 'ended' ? run.result.stats.steps : 0
  return { type: 'arenascope/step', step: workbench.cursor.get(), steps }
}

/** From now on; what is returned ends it. */
export function listen(actions: Actions, to: Around = around): () => void {
  let origin: string | null = null
  const tell = (told: Told | null) => {
    if (told !== null && origin !== null) to.post(told, origin)
  }
  const answer = async (data: unknown, from: string) => {
    const asked = askedOf(data)
    if (asked === null) return
    origin = from
    if (typeof asked === 'string') tell({ type: 'arenascope/error', message: asked })
    else if (asked.type === 'arenascope/seek') actions.player.seek(asked.step)
    else if (asked.type === 'arenascope/open') {
      const message = await open(actions, asked)
      if (message !== null) tell({ type: 'arenascope/error', message })
    } else {
      tell(result())
      tell(step())
    }
  }
  const ends = [
    to.hear((data, from) => void actions.attempt(() => answer(data, from))),
    workbench.run.subscribe(() => tell(result())),
    workbench.cursor.subscribe(() => tell(step())),
  ]
  // nothing is told by this but that the page is there
  const greet = () => a.manifest.get() !== null && to.post({ type: 'arenascope/ready', version: 1 }, '*')
  if (greet() === false) {
    const leave = a.manifest.subscribe(() => {
      leave()
      greet()
    })
    ends.push(leave)
  }
  return () => {
    for (const end of ends) end()
  }
}
