/** Keeps for the next visit what is open, made and set, and takes over what other tabs keep meanwhile. */
import type { Text } from '../../../../wasm/client/types'
import { type Cell, derived, type Readable } from '../../base/cell'
import { Later } from '../../base/later'
import * as a from '../../state/atoms'
import { typed } from '../../state/edit/editing'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { type Box, boxOf, KEYS } from '../../state/share/box'
import { Ledger } from '../../state/share/ledger'
import * as m from '../../state/marks/marks'
import { plain } from '../../state/profile/profile'
import {
  DESK,
  entriesOf,
  isShared,
  type Kept,
  type KeptSource,
  keptOf,
  restore,
  TEXT_LIMIT,
} from '../../state/share/storage'
import * as ui from '../../state/ui'
import { stale } from '../../state/workbench'
import { own } from '../../state/workbench_cells'
import { type Given, isPacked, type Source } from '../../state/workbench_values'
import { textOf as textOfGiven } from '../problem/given_text'
import { wasQuick } from '../problem/rerun_if_quick'

const KEEP_AFTER = 400
type LongTexts = Later<Pick<typeof import('./long_text'), 'keepLong' | 'readLong'>>
const longTexts: LongTexts = new Later(() => import('./long_text'))

/** A text that is too long for an entry, on its way to where it is kept until it has a key there. */
interface LongText {
  text: Text
  key: string | null
}

/** The kept text; that of a long one is fetched. Rejects if it is gone. */
export async function textOf(source: Exclude<KeptSource, { kind: 'example' }>): Promise<Text> {
  return source.long === undefined ? source.text : (await longTexts.get()).readLong(source.long)
}

/** Elements that say the same as before stay the same objects, for whoever holds them. Null if nothing has changed. */
function renewed<T>(before: readonly T[], next: readonly T[]): readonly T[] | null {
  const old = new Map(before.map((one) => [JSON.stringify(one), one]))
  const made = next.map((one) => old.get(JSON.stringify(one)) ?? one)
  return made.length === before.length && made.every((one, k) => one === before[k]) ? null : made
}

function renew<T>(cell: Cell<readonly T[]>, next: readonly T[]): void {
  const made = renewed(cell.get(), next)
  if (made !== null) cell.set(made)
}

export class Keeper {
  private readonly ledger: Ledger
  private desk = ''
  private apart: LongText | null = null
  /** the graph that is open as text, null while it is being written */
  private written: { of: Given; text: Text | null } | null = null
  /** longer texts are kept apart; less than usual once the storage is full */
  private limit = TEXT_LIMIT
  private waiting = false
  private told = false
  /** the search takes no time to be made again, and is one of the settings that are kept with it */
  private again = false

  /** own: this tab's, which outlives a reload */
  constructor(
    private readonly box: Box,
    private readonly tab: Box | null,
    private readonly long: LongTexts = longTexts,
  ) {
    this.ledger = new Ledger(box, KEYS.page)
  }

  restore(): Kept | null {
    return restore(this.ledger, this.tab)
  }

  /** From now on; returns the way out. */
  begin(): () => void {
    const end = new AbortController()
    const on = { signal: end.signal }
    const leave = WATCHED.map((cell) => cell.subscribe(() => this.later()))
    // whoever leaves may not come back: the last that some browsers tell of a page is that it is hidden
    window.addEventListener('pagehide', () => this.keepNow(true), on)
    document.addEventListener('visibilitychange', () => document.hidden && this.keepNow(true), on)
    // one that was put aside by the browser has heard nothing meanwhile
    window.addEventListener('pageshow', (event) => event.persisted && this.take(), on)
    window.addEventListener('storage', (event) => event.storageArea === this.box && this.heard(event.key), on)
    return () => {
      end.abort()
      for (const go of leave) go()
    }
  }

  private later(): void {
    // whoever never stops typing is kept all the same
    if (this.waiting) return
    this.waiting = true
    setTimeout(() => {
      this.waiting = false
      this.keepNow()
    }, KEEP_AFTER)
  }

  private heard(key: string | null): void {
    const entry = key === null ? null : this.ledger.entry(key)
    // the whole storage was emptied, of which the page has all: it is written again
    if (key === null) {
      this.ledger.learn(new Map(), new Map(), () => true)
      this.later()
    } else if (entry !== null && isShared(entry)) this.take()
  }

  /** What all tabs have at once, as it is kept now; what this one has not kept yet comes first. */
  private take(): void {
    this.keepNow()
    const all = new Map([...this.ledger.read()].filter(([entry]) => isShared(entry)))
    const kept = keptOf(all)
    ui.themeChoice.set(kept.theme)
    ui.singleKeys.set(kept.singleKeys)
    renew(a.ownProfiles, kept.ownProfiles)
    renew(m.marks, kept.marks)
    renew(own.stops, kept.stops)
    this.ledger.learn(all, entriesOf(kept), isShared)
  }

  /** leaving: there is no time to read what is typed, so it is kept as it will be read. */
  private keepNow(leaving = false): void {
    const source = this.source(leaving)
    const entries = entriesOf({ ...keptNow(), source: source ?? null, aside: this.aside(), at: this.step() })
    const refused = this.ledger.write(entries, source === undefined ? DESK : '')
    const desk = entries.get(DESK) ?? ''
    if (source !== undefined && desk !== this.desk) {
      this.desk = desk
      try {
        this.tab?.setItem(KEYS.page + DESK, desk)
      } catch {
        // a reload then finds the last desk of any tab, which is mostly this one
      }
    }
    const full = refused.filter(({ error }) => error instanceof Error && error.name === 'QuotaExceededError')
    if (full.length === 0) return
    // a text that found no room is tried where there is more
    const moves = full.some(({ entry }) => entry === DESK) && this.limit > 0
    if (moves) {
      this.limit = 0
      this.later()
    } else this.sayFull()
  }

  /** undefined: its text is being written, or on its way to where long ones are kept, or found no room there. */
  private source(leaving: boolean): Kept['source'] | undefined {
    const draft = own.draft.get()
    const opened = own.opened.get()
    if (draft !== null && draft.text !== '') return this.asKept({ kind: 'text', name: draft.name }, draft.text)
    if (opened === null || opened.source.kind === 'none') return null
    const cell = leaving && leaveLesson.get() === null ? (typed.get()?.() ?? null) : null
    if (cell !== null) return this.asKept(cell.source, cell.text)
    return this.asKept(opened.source, opened.text)
  }

  private asKept(source: Exclude<Source, { kind: 'none' }>, given: Given): KeptSource | undefined {
    if (source.kind === 'example') return { kind: 'example', file: source.file }
    const text = this.writtenOf(given)
    if (text === null) return undefined
    if (typeof text === 'string' && text.length <= this.limit) return { ...source, text }
    if (this.apart?.text !== text) {
      this.apart = { text, key: null }
      void this.keepLong(this.apart)
    }
    const { key } = this.apart
    return key === null ? undefined : { ...source, text: '', long: key }
  }

  private writtenOf(given: Given): Text | null {
    if (!isPacked(given)) return given
    if (this.written?.of === given) return this.written.text
    const made = { of: given, text: null as Text | null }
    this.written = made
    // without the part of the page that writes it, it is tried with the next change
    textOfGiven(given).then(
      (text) => {
        made.text = text
        this.later()
      },
      () => {
        this.written = null
      },
    )
    return null
  }

  private async keepLong(long: LongText): Promise<void> {
    try {
      long.key = await (await this.long.get()).keepLong(long.text)
      this.later()
    } catch {
      this.sayFull()
    }
  }

  /** The whole that the open problem is a part of. */
  private aside(): Kept['aside'] {
    const aside = own.aside.get()
    if (aside === null || aside.source.kind === 'none') return null
    const { source, text, capacity, count } = aside
    if (source.kind === 'example') return { source: { kind: 'example', file: source.file }, capacity, count }
    const short = typeof text === 'string' && text.length <= this.limit
    return short ? { source: { ...source, text }, capacity, count } : null
  }

  private step(): Kept['at'] {
    // what is shown in a lesson is not the reader's, whose settings stay meanwhile
    if (leaveLesson.get() === null) this.again = wasQuick(own.run.get()) && !stale.get()
    return this.again ? own.cursor.get() : null
  }

  private sayFull(): void {
    if (this.told) return
    this.told = true
    const text =
      'Its storage for this page is full. All that is open and typed is there until the page is closed: save it as a file under Share or Export.'
    a.notice.set({ tone: 'why', title: 'The browser keeps no more of this.', text })
  }
}

/** Of a problem that is open: a lesson has a view of its own, and a draft is of another one. */
function keptViewport(): Kept['viewport'] {
  const other = leaveLesson.get() !== null || (own.draft.get()?.text ?? '') !== ''
  return other || ui.viewportWhole.get() ? null : ui.viewport.get()
}

function keptNow(): Omit<Kept, 'source' | 'aside' | 'at'> {
  const profile = own.profile.get()
  return {
    profile: profile === null ? null : plain(profile),
    ownProfiles: a.ownProfiles.get(),
    solver: own.solver.get(),
    goal: own.goal.get(),
    options: own.options.get(),
    capacity: own.capacity.get(),
    seed: own.seed.get(),
    budget: own.budget.get(),
    theme: ui.themeChoice.get(),
    speed: Math.round(a.speed.get()),
    recent: ui.recent.get(),
    panels: ui.panels.get(),
    hintSeen: !own.hintShown.get(),
    singleKeys: ui.singleKeys.get(),
    marks: m.marks.get(),
    stops: own.stops.get(),
    range: m.range.get(),
    viewport: keptViewport(),
  }
}

const WATCHED: readonly Readable<unknown>[] = [
  own.opened,
  // a run that is going on changes many times a second
  derived(() => own.run.get().kind),
  own.aside,
  own.draft,
  own.profile,
  a.ownProfiles,
  own.solver,
  own.goal,
  own.options,
  own.capacity,
  own.seed,
  own.budget,
  a.speed,
  ui.themeChoice,
  own.hintShown,
  ui.recent,
  ui.panels,
  ui.singleKeys,
  m.marks,
  own.stops,
  m.range,
]

/** null where the storage is forbidden. */
export function keeperOf(): Keeper | null {
  const box = boxOf('localStorage')
  return box === null ? null : new Keeper(box, boxOf('sessionStorage'))
}
