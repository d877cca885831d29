/** Where a visit begins: at a link, at what was there the last time, or at the first example. And what is kept for the next one. */
import * as a from '../state/atoms'
import { findExample } from '../state/examples'
import { type Kept, keep, restore } from '../state/storage'
import * as ui from '../state/ui'
import type { Actions } from './actions'

const KEEP_AFTER = 400

/** The storage itself may be forbidden. */
function box(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

function keptSource(): Kept['source'] {
  const draft = a.draft.get()
  const opened = a.opened.get()
  if (draft !== null && draft.text !== '') return { kind: 'text', name: draft.name, text: draft.text }
  if (opened === null || opened.source.kind === 'none') return null
  if (opened.source.kind === 'example') return { kind: 'example', file: opened.source.file }
  return { kind: 'text', name: opened.source.name, text: opened.text }
}

function keepNow(storage: Storage): void {
  keep(storage, {
    source: keptSource(),
    solver: a.solver.get(),
    options: a.options.get(),
    capacity: a.capacity.get(),
    seed: a.seed.get(),
    budget: a.budget.get(),
    theme: ui.themeChoice.get(),
    speed: Math.round(a.speed.get()),
    hintSeen: !ui.hintShown.get(),
    singleKeys: ui.singleKeys.get(),
  })
}

function keepOnChange(storage: Storage): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => keepNow(storage), KEEP_AFTER)
  }
  const kept = [
    a.opened,
    a.draft,
    a.solver,
    a.options,
    a.capacity,
    a.seed,
    a.budget,
    a.speed,
    ui.themeChoice,
    ui.hintShown,
    ui.singleKeys,
  ]
  for (const atom of kept) atom.subscribe(later)
  window.addEventListener('pagehide', () => keepNow(storage))
}

function applySettings(kept: Kept): void {
  ui.themeChoice.set(kept.theme)
  ui.singleKeys.set(kept.singleKeys)
  a.speed.set(kept.speed)
  a.seed.set(kept.seed)
  a.budget.set(kept.budget)
  a.options.set(kept.options)
  a.solver.set(kept.solver)
}

/** The problem of the last visit with its own settings, not yet run unless it is one of ours. */
async function reopenKept(actions: Actions, kept: Kept): Promise<void> {
  const { source } = kept
  if (source === null) return
  if (source.kind === 'example') {
    const example = findExample(source.file)
    if (example === undefined) return actions.firstVisit()
    const as: a.Source = { kind: 'example', file: example.file, title: example.title }
    if (!(await actions.session.open(example.csv, as, example.file))) return
  } else if (!(await actions.session.open(source.text, { kind: 'text', name: source.name }, source.name))) return
  if (kept.capacity > 0) a.capacity.set(kept.capacity)
  if (source.kind === 'example') await actions.session.run()
}

async function start(actions: Actions): Promise<void> {
  const storage = box()
  const kept = storage === null ? null : restore(storage)
  if (kept !== null) applySettings(kept)
  await actions.session.start()
  const known = a.manifest.get()?.solvers.map((solver) => solver.id) ?? []
  const first = known[0]
  if (first !== undefined && !known.includes(a.solver.get())) a.solver.set(first)
  const linked = await actions.openFragment(location.hash.slice(1))
  if (!linked && a.opened.get() === null) await (kept === null ? actions.firstVisit() : reopenKept(actions, kept))
  window.addEventListener('hashchange', () => void actions.openFragment(location.hash.slice(1)))
  if (storage !== null) keepOnChange(storage)
}

export async function begin(actions: Actions): Promise<void> {
  a.reading.set(true)
  try {
    await start(actions)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    a.notice.set({ tone: 'why', title: 'The solver could not be loaded.', text })
  } finally {
    a.reading.set(false)
  }
}
