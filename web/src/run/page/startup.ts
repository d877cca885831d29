/** Where a visit begins: at a link, at what was there the last time, or at the first example. And what is kept for the next one. */
import * as a from '../../state/atoms'
import { csvOf, findExample } from '../../state/problem/examples'
import { Later, savesData, whenIdle } from '../../base/later'
import { adopt, isOwn, type Profile } from '../../state/profile/profile'
import { kindOfText, looksLikeLink, namesLesson } from '../../state/share/recognize'
import * as m from '../../state/marks/marks'
import { boxOf, hasKept, keepText, KEYS, textIn } from '../../state/share/box'
import type { Kept } from '../../state/share/storage'
import * as ui from '../../state/ui'
import { urlFlagsOf } from '../../state/share/url_flags'
import type { Actions } from '../actions'
import type { Keeper } from '../share/keep'
import { watch } from '../edit/undo_history'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { workbench } from '../../state/workbench_cells'
import type { Source } from '../../state/workbench_values'

/** The first view is not waited for any longer, in milliseconds: a link's run may take its time. */
const PATIENCE = 2500
const lessons = new Later(() => import('../lesson/lessons'))
const profiles = new Later(() => import('../../state/profile/profile_texts'))
/** A first visit has nothing to restore: it is drawn without this. */
const keeping = new Later(() => import('../share/keep'))

const races = new Later(() => import('../race/first_race'))

/** Whether the visit begins on the first page: nobody has been here, and no link says what to open. */
function isFirst(kept: Kept | null): boolean {
  const fragment = location.hash.slice(1)
  if (ui.embedded.get() || looksLikeLink(fragment) || namesLesson(fragment)) return false
  if (kept !== null && kept.source !== null) return false
  // where nothing can be kept, every visit is a first one
  return textIn(boxOf('localStorage'), KEYS.visited) === null
}

function rememberVisit(): void {
  keepText(boxOf('localStorage'), KEYS.visited, '1')
}

function applySettings(kept: Kept): void {
  ui.themeChoice.set(kept.theme)
  ui.singleKeys.set(kept.singleKeys)
  ui.recent.set(kept.recent)
  ui.panels.set(kept.panels)
  a.speed.set(kept.speed)
  workbench.seed.set(kept.seed)
  workbench.budget.set(kept.budget)
  workbench.goal.set(kept.goal)
  workbench.options.set(kept.options)
  workbench.solver.set(kept.solver)
  a.ownProfiles.set(kept.ownProfiles)
  m.marks.set(kept.marks)
  workbench.stops.set(kept.stops)
  m.range.set(kept.range)
}

/** Where what was kept came from; null: an example that this version does not have. */
function sourceOf(source: NonNullable<Kept['source']>): Source | null {
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

/** The problem of the last visit with its own settings. It is run if it was and took no time then, or is one of ours. */
async function reopenKept(actions: Actions, kept: Kept): Promise<void> {
  const { source, aside } = kept
  if (source === null) return
  const from = sourceOf(source)
  if (from === null) return actions.problem.firstExample()
  const { textOf } = await keeping.get()
  const [text, name] = source.kind === 'example' ? [csvOf(source.file), source.file] : [textOf(source), source.name]
  const profile = kept.profile && (await asHere(kept.profile))
  if (!(await actions.session.open(text, from, name, profile))) return
  // until it is closed, or the reader has moved on; at once, before there is anything that it would move
  if (!kept.hintSeen && source.kind === 'example') workbench.hintShown.set(true)
  if (kept.capacity > 0) workbench.capacity.set(kept.capacity)
  ui.askedViewport.set(kept.viewport)
  const whole = aside?.source ? sourceOf(aside.source) : null
  if (aside?.source && whole !== null) {
    const text = aside.source.kind === 'example' ? '' : aside.source.text
    workbench.aside.set({ source: whole, text, capacity: aside.capacity, count: aside.count })
  }
  const { at } = kept
  const ours = source.kind === 'example' || (source.kind === 'model' && source.from.kind === 'zoo')
  if (ours || at !== null) await actions.session.run()
  if (at !== null) actions.player.seek(at)
}

/** The link of the address, if there is one, as its flags ask for it to be seen. */
async function openAddress(actions: Actions): Promise<boolean> {
  const fragment = location.hash.slice(1)
  const { theme, step } = urlFlagsOf(fragment)
  // elsewhere the reader's choice stands, and is kept
  if (theme !== null && ui.embedded.get()) ui.themeChoice.set(theme)
  const linked = await actions.share.openFragment(fragment)
  if (linked && step !== null && workbench.run.get().kind === 'ended') actions.player.seek(step)
  return linked
}

/** Over what the reader has open. */
async function openLesson(actions: Actions, fragment: string): Promise<void> {
  const part = await lessons.get().catch((error: Error) => error)
  if (part instanceof Error) a.notice.set({ tone: 'why', title: 'The lesson was not opened.', text: part.message })
  else await part.follow(actions.session, fragment)
}

/** Undo begins at the first problem of the visit. What is returned begins it now, if there was none. */
function watchUndo(): () => void {
  let begun = false
  const now = () => {
    if (begun) return
    begun = true
    leave()
    watch()
  }
  const leave = workbench.opened.subscribe(now)
  return now
}

/** Who keeps what is open for the next visit; null where nothing is kept, or if it cannot be had. */
const keeperOf = (): Promise<Keeper | null> =>
  keeping.get().then(
    (part) => part.keeperOf(),
    () => null,
  )

/** Draws the page, with the face that it begins with: on a later visit it waits for what was kept, so that it does not move. */
export interface Show {
  /** fetches what the face is made of */
  face: () => Promise<unknown> | null
  draw: () => void
}

async function start(actions: Actions, { face, draw }: Show): Promise<void> {
  const embedded = ui.embedded.get()
  const { client } = actions.session
  const box = boxOf('localStorage')
  // what a page inside of another shows is that page's affair
  const returning = !embedded && box !== null && hasKept(box)
  // the solvers come meanwhile
  if (returning) void client.manifest().catch(() => {})
  const keeper = returning ? await keeperOf() : null
  const kept = keeper?.restore() ?? null
  if (kept !== null) applySettings(kept)
  const fragment = location.hash.slice(1)
  const first = !returning && !embedded && !looksLikeLink(fragment)
  const solvers = actions.session.start(first)
  // it is waited for below
  solvers.catch(() => {})
  // one that could not be read is not written over
  const keep = () => {
    if (returning) keeper?.begin()
    else if (!embedded) void keeperOf().then((one) => one?.begin())
  }
  if (isFirst(kept)) {
    ui.welcome.set(true)
    workbench.mode.set('compare')
  }
  await face()
  draw()
  setTimeout(() => ui.arrived.set(true), PATIENCE)
  await solvers
  const raced = ui.welcome.get()
  if (raced) await openRace(actions, keep)
  else {
    const linked = await openAddress(actions)
    // inside of another page nothing is shown but what that page asks for
    const asked = linked || embedded
    // what was dropped meanwhile may still be read
    if (!asked && workbench.opened.get() === null && !actions.problem.brought)
      await (kept === null ? actions.problem.firstExample() : reopenKept(actions, kept))
  }
  const lessonOf = (text: string) => !embedded && namesLesson(text)
  if (lessonOf(fragment)) await openLesson(actions, fragment)
  window.addEventListener('hashchange', () => {
    const now = location.hash.slice(1)
    if (lessonOf(now)) return void openLesson(actions, now)
    // back to what is there behind the lesson
    const leave = now === '' || history.state !== null ? leaveLesson.get() : null
    if (leave !== null) leave()
    else void openAddress(actions)
  })
  if (!raced) keep()
  // if it cannot be had now, whatever needs it asks again and says so
  if (first && !savesData()) whenIdle(() => void client.complete().catch(() => {}))
}

/** Nothing is kept of a visit that does not go on from there: the next one is the first again. */
async function openRace(actions: Actions, keep: () => void): Promise<void> {
  const { openFirstRace } = await races.get()
  await openFirstRace(actions.session, () => {
    rememberVisit()
    keep()
  })
}

/** Until the step that is asked for is shown. */
async function shown(): Promise<void> {
  const there = () => workbench.run.get().kind === 'idle' || workbench.frame.get()?.step === workbench.cursor.get()
  if (there()) return
  await new Promise<void>((resolve) => {
    const leave = workbench.frame.subscribe(() => {
      if (!there()) return
      leave()
      resolve()
    })
  })
}

/** Whoever is not reached at the first try is asked again. */
async function startOrSay(actions: Actions, show: Show): Promise<void> {
  a.reading.set(true)
  try {
    await start(actions, show)
    void shown().then(() => ui.arrived.set(true))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const act = () => {
      a.notice.set(null)
      void startOrSay(actions, show)
    }
    const again = a.manifest.get() === null ? { action: { title: 'Try again', act } } : {}
    a.notice.set({ tone: 'why', title: 'The solver could not be loaded.', text, ...again })
    ui.arrived.set(true)
  } finally {
    a.reading.set(false)
  }
}

export async function startPage(actions: Actions, show: Show): Promise<void> {
  const watchAtLatest = watchUndo()
  await startOrSay(actions, show)
  watchAtLatest()
}
