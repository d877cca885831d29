/** Where a visit begins: at a link, at what was there the last time, or at the first example. And what is kept for the next one. */
import type { Text } from '../../../wasm/client/types'
import * as a from '../state/atoms'
import { csvOf, findExample } from '../state/examples'
import { Later, whenIdle } from '../base/later'
import { adopt, isOwn, plain, type Profile } from '../state/profile'
import { kindOfText, looksLikeLink, namesLesson } from '../state/door'
import { interlude, own } from '../state/interlude'
import * as m from '../state/marks'
import { type Kept, keep, restore } from '../state/storage'
import * as ui from '../state/ui'
import { wishesOf } from '../state/wishes'
import type { Actions } from './actions'
import { watch } from './way_back'

const KEEP_AFTER = 400
/** The first view is not waited for any longer, in milliseconds: a link's run may take its time. */
const PATIENCE = 2500
const lessons = new Later(() => import('./lessons'))
const profiles = new Later(() => import('../state/profile_texts'))

/** The storage itself may be forbidden. */
export function box(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

function keptSource(): Kept['source'] {
  const draft = own(a.draft)
  const opened = own(a.opened)
  if (draft !== null && draft.text !== '') return asKept({ kind: 'text', name: draft.name }, draft.text)
  if (opened === null || opened.source.kind === 'none') return null
  return asKept(opened.source, opened.text)
}

/** null: it is too long for any storage. */
function asKept(source: Exclude<a.Source, { kind: 'none' }>, text: Text): Kept['source'] {
  if (source.kind === 'example') return { kind: 'example', file: source.file }
  return typeof text === 'string' ? { ...source, text } : null
}

/** The whole that the open problem is a part of. */
function keptAside(): Kept['aside'] {
  const aside = own(a.aside)
  if (aside === null || aside.source.kind === 'none') return null
  const { source, text, capacity, count } = aside
  return { source: asKept(source, text), capacity, count }
}

function keptProfile(): Kept['profile'] {
  const profile = own(a.profile)
  return profile === null ? null : plain(profile)
}

/** Of a problem that is open: a lesson has a view of its own, and a draft is of another one. */
function keptViewport(): Kept['viewport'] {
  const other = interlude.get() !== null || (a.draft.get()?.text ?? '') !== ''
  return other || ui.viewportWhole.get() ? null : ui.viewport.get()
}

function keepNow(storage: Storage): void {
  keep(storage, {
    source: keptSource(),
    aside: keptAside(),
    profile: keptProfile(),
    ownProfiles: a.ownProfiles.get(),
    solver: own(a.solver),
    options: own(a.options),
    capacity: own(a.capacity),
    seed: own(a.seed),
    budget: own(a.budget),
    theme: ui.themeChoice.get(),
    speed: Math.round(a.speed.get()),
    recent: ui.recent.get(),
    panels: ui.panels.get(),
    hintSeen: !own(ui.hintShown),
    singleKeys: ui.singleKeys.get(),
    marks: m.marks.get(),
    stops: own(m.stops),
    range: own(m.range),
    viewport: keptViewport(),
  })
}

function keepOnChange(storage: Storage): void {
  let waiting = false
  const later = () => {
    // whoever never stops typing is kept all the same
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      keepNow(storage)
    }, KEEP_AFTER)
  }
  const kept = [
    a.opened,
    a.aside,
    a.draft,
    a.profile,
    a.ownProfiles,
    a.solver,
    a.options,
    a.capacity,
    a.seed,
    a.budget,
    a.speed,
    ui.themeChoice,
    ui.hintShown,
    ui.recent,
    ui.panels,
    ui.singleKeys,
    m.marks,
    m.stops,
    m.range,
  ]
  for (const atom of kept) atom.subscribe(later)
  window.addEventListener('pagehide', () => keepNow(storage))
}

function applySettings(kept: Kept): void {
  ui.themeChoice.set(kept.theme)
  ui.singleKeys.set(kept.singleKeys)
  ui.recent.set(kept.recent)
  ui.panels.set(kept.panels)
  a.speed.set(kept.speed)
  a.seed.set(kept.seed)
  a.budget.set(kept.budget)
  a.options.set(kept.options)
  a.solver.set(kept.solver)
  a.ownProfiles.set(kept.ownProfiles)
  m.marks.set(kept.marks)
  m.stops.set(kept.stops)
  m.range.set(kept.range)
}

/** Where what was kept came from; null: an example that this version does not have. */
function sourceOf(source: NonNullable<Kept['source']>): a.Source | null {
  if (source.kind === 'text') {
    // a graph that was being typed when the page was left
    const { name } = source
    return kindOfText(source.text) === 'graph'
      ? { kind: 'model', name, lowering: {}, from: { kind: 'file', format: '' } }
      : { kind: 'text', name }
  }
  if (source.kind === 'model') {
    const { text: _, ...rest } = source
    return rest
  }
  const example = findExample(source.file)
  return example === undefined ? null : { kind: 'example', file: example.file, title: example.title }
}

/** The profile of the last visit as this version has it; as it was, if the profiles cannot be fetched to see. */
async function asHere(profile: Profile): Promise<Profile> {
  if (isOwn(profile)) return adopt(profile, [], a.ownProfiles.get())
  const part = await profiles.get().catch(() => null)
  return part === null ? profile : adopt(profile, part.known, a.ownProfiles.get())
}

/** The problem of the last visit with its own settings, not yet run unless it is one of ours. */
async function reopenKept(actions: Actions, kept: Kept): Promise<void> {
  const { source, aside } = kept
  if (source === null) return
  const from = sourceOf(source)
  if (from === null) return actions.firstVisit()
  const [text, name] = source.kind === 'example' ? [csvOf(source.file), source.file] : [source.text, source.name]
  const profile = kept.profile && (await asHere(kept.profile))
  if (!(await actions.session.open(text, from, name, profile))) return
  // until it is closed, or the reader has moved on; at once, before there is anything that it would move
  if (!kept.hintSeen && source.kind === 'example') ui.hintShown.set(true)
  if (kept.capacity > 0) a.capacity.set(kept.capacity)
  ui.askedViewport.set(kept.viewport)
  const whole = aside?.source ? sourceOf(aside.source) : null
  if (aside?.source && whole !== null) {
    const text = aside.source.kind === 'example' ? '' : aside.source.text
    a.aside.set({ source: whole, text, capacity: aside.capacity, count: aside.count })
  }
  if (source.kind === 'example' || (source.kind === 'model' && source.from.kind === 'zoo')) await actions.session.run()
}

/** The link of the address, if there is one, as it wishes to be seen. */
async function openAddress(actions: Actions): Promise<boolean> {
  const fragment = location.hash.slice(1)
  const { theme, step } = wishesOf(fragment)
  // elsewhere the reader's choice stands, and is kept
  if (theme !== null && ui.embedded.get()) ui.themeChoice.set(theme)
  const linked = await actions.openFragment(fragment)
  if (linked && step !== null && a.run.get().kind === 'ended') actions.player.seek(step)
  return linked
}

/** Over what the reader has open. */
async function openLesson(actions: Actions, fragment: string): Promise<void> {
  const part = await lessons.get().catch((error: Error) => error)
  if (part instanceof Error) a.notice.set({ tone: 'why', title: 'The lesson was not opened.', text: part.message })
  else await part.follow(actions.session, fragment)
}

/** The way back begins at the first problem of the visit. What is returned begins it now, if there was none. */
function beginWayBack(): () => void {
  let begun = false
  const now = () => {
    if (begun) return
    begun = true
    leave()
    watch()
  }
  const leave = a.opened.subscribe(now)
  return now
}

async function start(actions: Actions): Promise<void> {
  const embedded = ui.embedded.get()
  // what a page inside of another shows is that page's affair
  const storage = embedded ? null : box()
  const kept = storage === null ? null : restore(storage)
  if (kept !== null) applySettings(kept)
  const fragment = location.hash.slice(1)
  const first = kept === null && !embedded && !looksLikeLink(fragment)
  const { client } = actions.session
  await actions.session.start(first)
  const linked = await openAddress(actions)
  const asked = linked || (embedded && looksLikeLink(fragment))
  if (!asked && a.opened.get() === null) await (kept === null ? actions.firstVisit() : reopenKept(actions, kept))
  const lessonOf = (text: string) => !embedded && namesLesson(text)
  if (lessonOf(fragment)) await openLesson(actions, fragment)
  window.addEventListener('hashchange', () => {
    const now = location.hash.slice(1)
    void (lessonOf(now) ? openLesson(actions, now) : openAddress(actions))
  })
  if (storage !== null) keepOnChange(storage)
  // if it cannot be had now, whatever needs it asks again and says so
  if (first) whenIdle(() => void client.complete().catch(() => {}))
}

/** Until the step that is asked for is shown. */
async function shown(): Promise<void> {
  const there = () => a.run.get().kind === 'idle' || a.frame.get()?.step === a.cursor.get()
  if (there()) return
  await new Promise<void>((resolve) => {
    const leave = a.frame.subscribe(() => {
      if (!there()) return
      leave()
      resolve()
    })
  })
}

export async function begin(actions: Actions): Promise<void> {
  a.reading.set(true)
  setTimeout(() => ui.arrived.set(true), PATIENCE)
  const beginAtLatest = beginWayBack()
  try {
    await start(actions)
    void shown().then(() => ui.arrived.set(true))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    a.notice.set({ tone: 'why', title: 'The solver could not be loaded.', text })
    ui.arrived.set(true)
  } finally {
    beginAtLatest()
    a.reading.set(false)
  }
}
