/**
 * A user who does anything: actions drawn from a seed. Each says what it was done to by name, so that a list of them can be done again, and a part of the list
 * too: what is not there any more is passed over. Most are made inside of the page, by its own events and many at a time; of some batches the browser gets the
 * mouse and the keys (real.ts).
 */

/** kind: how it is done; on: the name of the control, of a key, a text or a file; value: what is typed or chosen, or where it is. real: by mouse and keys. */
export interface Action {
  kind: 'click' | 'type' | 'choose' | 'key' | 'paste' | 'drop' | 'pointer' | 'wheel' | 'calm'
  on: string
  value: string
  real?: true
}

export interface Done {
  actions: Action[]
  /** what does not hold, in words; '': nothing */
  trouble: string
}

/** What is pasted and dropped: by name. */
export type Texts = Record<string, string>

/** A place on the page: middle of what an action is done to, in pixels; a box for what is drawn on. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

/** What the page has of its user. */
export interface User {
  /** `again`: what to do; else `count` actions from the seed */
  act(given: { seed: number; count: number; again: Action[] | null }): Promise<Done>
  /** the next action, not done */
  draw(seed: number): Action
  /** where it is done, scrolled to; null: that is not there */
  placeOf(action: Action): Place | null
  /** undoes and redoes up to four steps: what does not come back, in words; '': it does; null: there was nothing to undo, or no text to compare */
  comesBack(): Promise<string | null>
  /** what must hold at any time, and does not */
  broken(): string
}

/** Runs in the page before any script of it, so it has all that it uses with it. */
export function user(texts: Texts): void {
  let state = 0
  const below = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T

  const KEYS =
    ' ,ArrowLeft,ArrowRight,Shift+ArrowRight,Shift+ArrowLeft,Home,End,[,],d,D,+,-,0,h,j,k,l,/,g,G,p,m,n,N,1,2,3,4,5,6,r,e,t,?,Escape,Ctrl+z,Ctrl+Shift+z,Ctrl+k,Enter,Tab,ArrowDown,ArrowUp'.split(
      ',',
    )
  const TYPED = [
    '12',
    '0',
    '-1',
    '1e9',
    '7',
    'x',
    '',
    '1,000',
    '3 MiB',
    'b',
    '=1+1',
    '\u202e',
    '99999999999999999999',
    'id,lower,upper,size\nq,0,2,9\n',
  ]
  const DRAWN = '.memory [role=img], .seismograph, canvas'
  const CLICKED =
    'button:not(:disabled), [role=menuitem], [role=tab], [role=option], summary, input[type=checkbox], input[type=radio]'
  const FIELDS = 'input:not([type=file]):not([type=checkbox]):not([type=radio]):not(:disabled), textarea:not(:disabled)'

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const seen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })
  /** Behind an open dialog nothing can be reached. */
  const reachable = (selector: string): HTMLElement[] => {
    const dialogs = document.querySelectorAll('dialog:modal')
    const root = dialogs[dialogs.length - 1] ?? document
    return [...root.querySelectorAll<HTMLElement>(selector)].filter(seen)
  }
  const nameOf = (element: HTMLElement): string => {
    const label = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? '') : ''
    const name = element.getAttribute('aria-label') ?? (label || element.textContent || element.title)
    return `${element.tagName} ${name.trim().slice(0, 60)}`
  }
  const found = (selector: string, on: string): HTMLElement | undefined =>
    reachable(selector).find((element) => nameOf(element) === on)

  const drawn = (): Action => {
    const dice = below(100)
    const control = (kind: Action['kind'], selector: string, value = ''): Action => {
      const all = reachable(selector)
      return all.length === 0 ? { kind: 'key', on: 'Escape', value: '' } : { kind, on: nameOf(one(all)), value }
    }
    if (dice < 38) return control('click', CLICKED)
    if (dice < 50) return control('type', FIELDS, one(TYPED))
    if (dice < 58) return control('choose', 'select:not(:disabled)', String(below(30)))
    if (dice < 78) return { kind: 'key', on: one(KEYS), value: '' }
    if (dice < 81) return { kind: 'paste', on: one(Object.keys(texts)), value: '' }
    if (dice < 84) return { kind: 'drop', on: one(Object.keys(texts)), value: '' }
    if (dice < 92) return control('pointer', DRAWN, `${below(100)} ${below(100)} ${below(100)}`)
    if (dice < 96) return control('wheel', DRAWN, String(below(601) - 300))
    return { kind: 'calm', on: '', value: '' }
  }

  const key = (name: string): void => {
    const parts = name.split('+')
    const last = name === '+' ? '+' : (parts.pop() ?? '')
    const has = (part: string) => name !== '+' && parts.includes(part)
    const how = { key: last, ctrlKey: has('Ctrl'), shiftKey: has('Shift'), bubbles: true, cancelable: true }
    const target = document.activeElement ?? document.body
    if (target.dispatchEvent(new KeyboardEvent('keydown', how)) && last === 'Escape') {
      const dialogs = document.querySelectorAll<HTMLDialogElement>('dialog:modal')
      dialogs[dialogs.length - 1]?.dispatchEvent(new Event('cancel', { cancelable: true }))
    }
    target.dispatchEvent(new KeyboardEvent('keyup', how))
  }
  const type = async (field: HTMLElement, text: string): Promise<void> => {
    const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    field.focus()
    // what had the focus may have taken the field away as it went, and a person's keys go to what has it
    await pause(0)
    if (document.activeElement !== field) return
    Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(field, text)
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text }))
    // a person's next key is another task: the page has drawn by then
    await pause(0)
    field.dispatchEvent(new Event('change', { bubbles: true }))
    if (text.length % 2 === 0) key('Enter')
  }
  const choose = (list: HTMLElement, value: string): void => {
    if (!(list instanceof HTMLSelectElement) || list.options.length === 0) return
    list.selectedIndex = Number(value) % list.options.length
    list.dispatchEvent(new Event('input', { bubbles: true }))
    list.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const pointer = (canvas: HTMLElement, value: string): void => {
    const box = canvas.getBoundingClientRect()
    const [x = 0, y = 0, by = 0] = value.split(' ').map(Number)
    const at = (dx: number) => ({
      clientX: box.x + ((x + dx) / 100) * box.width,
      clientY: box.y + (y / 100) * box.height,
      bubbles: true,
      cancelable: true,
      pointerId: 1,
      isPrimary: true,
    })
    for (const [name, dx] of [
      ['pointermove', 0],
      ['pointerdown', 0],
      ['pointermove', by / 4],
      ['pointerup', by / 4],
    ] as const)
      canvas.dispatchEvent(new PointerEvent(name, { ...at(dx), buttons: name === 'pointerup' ? 0 : 1 }))
    canvas.dispatchEvent(new MouseEvent('click', { ...at(by / 4), detail: 1 }))
  }
  const carried = (name: string, asFile: boolean): DataTransfer => {
    const data = new DataTransfer()
    const text = texts[name] ?? ''
    if (asFile) data.items.add(new File([text], name))
    else data.setData('text/plain', text)
    return data
  }
  const WAYS: Record<Action['kind'], (action: Action) => void | Promise<void>> = {
    click: ({ on }) => found(CLICKED, on)?.click(),
    type: ({ on, value }) => {
      const field = found(FIELDS, on)
      if (field !== undefined) return type(field, value)
    },
    choose: ({ on, value }) => {
      const list = found('select:not(:disabled)', on)
      if (list !== undefined) choose(list, value)
    },
    key: ({ on }) => key(on),
    paste: ({ on }) => {
      const how = { clipboardData: carried(on, false), bubbles: true, cancelable: true }
      ;(document.activeElement ?? document.body).dispatchEvent(new ClipboardEvent('paste', how))
    },
    drop: ({ on }) => {
      const how = { dataTransfer: carried(on, true), bubbles: true, cancelable: true }
      document.body.dispatchEvent(new DragEvent('dragover', how))
      document.body.dispatchEvent(new DragEvent('drop', how))
    },
    pointer: ({ on, value }) => {
      const canvas = found(DRAWN, on)
      if (canvas !== undefined) pointer(canvas, value)
    },
    wheel: ({ on, value }) => {
      const how = { deltaY: Number(value), bubbles: true, cancelable: true }
      found(DRAWN, on)?.dispatchEvent(new WheelEvent('wheel', how))
    },
    calm: () => {},
  }

  /** What must hold at any time. */
  const broken = (): string => {
    const number = (text: string | null | undefined) => Number((text ?? '').replace(/\D/g, ''))
    const shown = document.querySelector<HTMLInputElement>('.step-field input')
    const all = document.querySelector('.step-field .dim')
    if (
      shown !== null &&
      all !== null &&
      shown !== document.activeElement &&
      number(shown.value) > number(all.textContent)
    )
      return `step ${shown.value} of ${all.textContent}`
    if (document.querySelectorAll('dialog:modal').length > 1) return 'two dialogs are open'
    const words = document.body.textContent ?? ''
    const odd = /\bundefined\b|\bNaN\b|\[object \w+\]/.exec(words)
    if (odd !== null && !words.includes('texts with odd words'))
      return `it says ${words.slice(Math.max(0, odd.index - 60), odd.index + 40)}`
    scrollTo(1e6, 0)
    if (scrollX > 0) return `the page goes ${scrollX} to the side in ${innerWidth}`
    return ''
  }

  const frame = () => new Promise((resolve) => window.ownFrame(resolve))
  /** Until nothing is due for two frames, or so long. */
  const rest = async (ms: number): Promise<void> => {
    const end = performance.now() + ms
    for (let quiet = 0; quiet < 2 && performance.now() < end; quiet++) {
      await frame()
      if (window.waitsFor().length > 0) quiet = -1
    }
  }
  const until = async <T>(ms: number, found: () => T | undefined): Promise<T | undefined> => {
    const end = performance.now() + ms
    while (found() === undefined && performance.now() < end) await frame()
    return found()
  }
  const button = (inside: string, name: RegExp): HTMLButtonElement | undefined =>
    [...document.querySelectorAll<HTMLButtonElement>(`${inside} button:not(:disabled)`)]
      .filter(seen)
      .findLast((one) => name.test((one.getAttribute('aria-label') ?? one.textContent ?? '').trim()))

  /** The text of what is open, in the editor; undefined: nothing can be edited now. */
  const textNow = async (): Promise<string | undefined> => {
    const field = () => [...document.querySelectorAll<HTMLTextAreaElement>('[aria-label="Buffer CSV"]')].find(seen)
    button('#setup', /^(Edit|Paste)$/)?.click()
    const shown = await until(3000, field)
    const text = shown?.value
    // a complaint has one as well, before it
    button('#setup', /^Close$/)?.click()
    await until(3000, () => (field() === undefined ? true : undefined))
    return text
  }

  const comesBack = async (): Promise<string | null> => {
    for (let k = 0; k < 4; k++) key('Escape')
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await rest(3000)
    // an example that comes, a search that is opened: there is nothing to undo yet
    if (document.querySelector('dialog:modal') !== null || button('#setup', /^(Edit|Paste)$/) === undefined) return null
    const before = await textNow()
    if (before === undefined) return null
    let steps = 0
    for (const way of [/^Undo/, /^Redo/])
      for (let k = 0; k < (way.source === '^Undo' ? 4 : steps); k++) {
        const pressed = button('.header', way)
        if (pressed === undefined) break
        pressed.click()
        steps += Number(way.source === '^Undo')
        await rest(3000)
      }
    if (steps === 0) return null
    let after = await textNow()
    // on a busy machine a model is read again for longer than the page was waited for
    for (const end = performance.now() + 15_000; after !== before && performance.now() < end; after = await textNow())
      await pause(300)
    return before === after ? '' : `the text was ${JSON.stringify(before)} and came back as ${JSON.stringify(after)}`
  }

  const act = async (given: { seed: number; count: number; again: Action[] | null }): Promise<Done> => {
    const { again } = given
    state = given.seed >>> 0
    const actions: Action[] = []
    for (let k = 0; k < (again?.length ?? given.count); k++) {
      const action = again?.[k] ?? drawn()
      actions.push(action)
      await WAYS[action.kind](action)
      await (action.kind === 'calm' ? rest(120) : k % 4 === 3 ? frame() : pause(0))
      if (window.wrong?.length) break
    }
    return { actions, trouble: window.wrong?.length ? window.wrong.join('; ') : broken() }
  }

  const SELECTORS: Partial<Record<Action['kind'], string>> = {
    click: CLICKED,
    type: FIELDS,
    choose: 'select:not(:disabled)',
    pointer: DRAWN,
    wheel: DRAWN,
  }
  const placeOf = ({ kind, on }: Action): Place | null => {
    const element = found(SELECTORS[kind] ?? 'none', on)
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const box = element?.getBoundingClientRect()
    if (element === undefined || box === undefined) return null
    if (kind === 'type' || kind === 'choose') element.focus()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height }
  }

  const draw = (seed: number): Action => {
    state = seed >>> 0
    return drawn()
  }
  window.user = { act, draw, placeOf, comesBack, broken }
}

declare global {
  interface Window {
    /** uncaught errors and rejections, for actions to see at once */
    wrong?: string[]
    user: User
  }
}

/** Runs before any script of the page: what would leave it, or wait for a person, does nothing. */
export function keepInside(): void {
  window.wrong = []
  window.addEventListener('error', (event) => window.wrong?.push(`uncaught: ${event.message}`))
  window.addEventListener('unhandledrejection', (event) => window.wrong?.push(`rejected: ${String(event.reason)}`))
  const { click } = HTMLElement.prototype
  HTMLInputElement.prototype.click = function () {
    if (this.type !== 'file') click.call(this)
  }
  HTMLAnchorElement.prototype.click = () => {}
  const leads = (target: EventTarget | null) => {
    const link = target instanceof Element ? target.closest('a') : null
    return link !== null && (link.target !== '' || link.download !== '' || link.origin !== location.origin)
  }
  window.addEventListener('click', (event) => leads(event.target) && event.preventDefault(), true)
  HTMLInputElement.prototype.showPicker = () => {}
  Element.prototype.requestFullscreen = () => Promise.resolve()
  window.open = () => null
  window.print = () => {}
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: () => Promise.resolve(), write: () => Promise.resolve() },
  })
}

/** Runs in the page before any script of it: "ResizeObserver loop" names nobody, so what was last told of its size is said with it. */
export function sayResized(): void {
  const MOST = 12
  const told: string[] = []
  const { ResizeObserver } = window
  window.ResizeObserver = class extends ResizeObserver {
    constructor(callback: ResizeObserverCallback) {
      super((entries, observer) => {
        for (const { target, contentRect } of entries) {
          const names = [target.parentElement, target].map((one) => one?.className || one?.tagName)
          told.push(
            `${names.join(' > ')} ${contentRect.width} × ${contentRect.height} at ${Math.round(performance.now())} ms`,
          )
        }
        told.splice(0, told.length - MOST)
        callback(entries, observer)
      })
    }
  }
  window.addEventListener('error', ({ message }) => {
    if (message.startsWith('ResizeObserver')) console.error(`resized: ${told.join('; ')}`)
  })
}

type Fails = (actions: Action[]) => Promise<boolean>

/** The shortest end of the list that fails by itself, among those of doubled lengths; all of it if none does. */
async function tail(actions: readonly Action[], fails: Fails): Promise<Action[]> {
  for (let length = 25; length < actions.length; length *= 2) {
    const end = actions.slice(-length)
    if (await fails(end)) return end
  }
  return [...actions]
}

/** A shorter list that still fails: its end, of which ever smaller parts are taken out (ddmin); fails is asked at most `most` times. */
export async function shorter(actions: readonly Action[], fails: Fails, most: number): Promise<Action[]> {
  let asked = 0
  const counted: Fails = (part) => (asked++ < most ? fails(part) : Promise.resolve(false))
  let left = await tail(actions, counted)
  for (let size = Math.ceil(left.length / 2); size >= 1 && asked < most; size = size > 1 ? Math.ceil(size / 2) : 0)
    for (let from = 0; from < left.length && asked < most; ) {
      const without = [...left.slice(0, from), ...left.slice(from + size)]
      if (without.length > 0 && (await counted(without))) left = without
      else from += size
    }
  return left
}
