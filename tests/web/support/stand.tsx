/** A part of the page on its own: its actions, a client whose answers the test times, and hands to press and type with. */
import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/preact'
import type { ComponentChild } from 'preact'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { ActionsContext } from '../../../web/src/panels/page/context'
import { Actions } from '../../../web/src/run/actions'
import { Session } from '../../../web/src/run/session'
import { Cell } from '../../../web/src/base/cell'
import { own } from '../../../web/src/state/workbench_cells'
import { history } from '../../../web/src/run/edit/undo_history'
import { CSV, FakeClient } from './fake'

export { CSV, fireEvent, screen }

/** A part of the page that is fetched may take its time on a busy machine; in milliseconds. */
const PATIENCE = 4_000
configure({ asyncUtilTimeout: PATIENCE })

/** Until a check holds: for what is fetched or drawn some time later. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, PATIENCE)

export interface Stand {
  client: FakeClient
  session: Session
  actions: Actions
  /** puts a part on the page; the one before goes */
  show: (part: ComponentChild) => HTMLElement
  /** until everything that was begun has been answered and drawn */
  settle: () => Promise<void>
  /** until the parts that are fetched later have come */
  part: () => Promise<void>
  /** lets the player's clock go on to `now`, in milliseconds */
  tick: (now: number) => Promise<void>
}

const homes = import.meta.glob<Record<string, unknown>>('../../../web/src/state/**/*.ts', { eager: true })
const cells = [...Object.values(homes).flatMap((home) => Object.values(home)), ...Object.values(own), history].filter(
  (value): value is Cell<unknown> => value instanceof Cell,
)
/** Before the first test of all: cells outlive the tests of a file, and the files share them. */
const initial = cells.map((cell) => cell.get())

function restore(): void {
  cells.forEach((cell, k) => {
    cell.set(initial[k])
  })
}

/** Takes the part off the page, with the effects that end with it. */
const clear = () => act(() => cleanup())

/** For each test of a file: five buffers are open (tests/web/support/fake.ts) and nothing has run. */
export function stand(): Stand {
  let frames: ((now: number) => void)[] = []
  const settle = () => act(() => new Promise<void>((done) => setTimeout(done, 0)))
  const made = {
    settle,
    part: () => vi.waitFor(() => expect(screen.queryByText(/^Fetching this part/)).toBeNull(), 10_000),
    tick: (now: number) =>
      act(async () => {
        const due = frames
        frames = []
        for (const callback of due) callback(now)
      }),
    show: (part: ComponentChild) => {
      void clear()
      return render(<ActionsContext.Provider value={made.actions}>{part}</ActionsContext.Provider>)
        .container as HTMLElement
    },
  } as Stand
  beforeEach(async () => {
    frames = []
    made.client = new FakeClient()
    made.session = new Session(made.client, {
      request: (callback) => frames.push(callback),
      cancel: (callback) => {
        frames = frames.filter((f) => f !== callback)
      },
    })
    made.actions = new Actions(made.session)
    await made.session.start()
    await made.session.open(CSV, { kind: 'text', name: 'x.csv' }, 'x.csv')
  })
  afterEach(async () => {
    await clear()
    await made.session.clear()
    restore()
  })
  return made
}

/** A control by its role and whole name. */
export const control = (role: string, name: string | RegExp) => screen.getByRole(role, { name })

export const press = (name: string | RegExp, role = 'button') => {
  fireEvent.click(control(role, name))
}

/** Types into a field and leaves it there. */
export const type = (field: HTMLElement, text: string) => {
  fireEvent.input(field, { target: { value: text } })
}

export const key = (target: Element, name: string) => fireEvent.keyDown(target, { key: name })
