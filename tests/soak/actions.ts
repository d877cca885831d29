/**
 * A user who does anything: actions drawn from a seed, made inside of the page. Each says what it was done to by name, so that a list of them can be done
 * again, and a part of the list too: what is not there any more is passed over.
 */

/** kind: how it is done; on: the name of the control, of a key, a text or a file; value: what is typed or chosen, or where it is. */
export interface Action {
  kind: 'click' | 'type' | 'choose' | 'key' | 'paste' | 'drop' | 'pointer' | 'wheel' | 'calm'
  on: string
  value: string
}

export interface Done {
  actions: Action[]
  /** what does not hold, in words; '': nothing */
  trouble: string
}

/** What is pasted and dropped: by name. */
export type Texts = Record<string, string>

/** Runs in the page, so it takes all that it uses with it. again: what to do; else `count` actions from the seed. */
export async function act(given: { seed: number; count: number; texts: Texts; again: Action[] | null }): Promise<Done> {
  const { texts, again } = given
  let state = given.seed >>> 0
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
    if (dice < 92)
      return control('pointer', '.memory [role=img], .seismograph, canvas', `${below(100)} ${below(100)} ${below(100)}`)
    if (dice < 96) return control('wheel', '.memory [role=img], .seismograph, canvas', String(below(601) - 300))
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
      const canvas = found('.memory [role=img], .seismograph, canvas', on)
      if (canvas !== undefined) pointer(canvas, value)
    },
    wheel: ({ on, value }) => {
      const how = { deltaY: Number(value), bubbles: true, cancelable: true }
      found('.memory [role=img], .seismograph, canvas', on)?.dispatchEvent(new WheelEvent('wheel', how))
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

  const actions: Action[] = []
  for (let k = 0; k < (again?.length ?? given.count); k++) {
    const action = again?.[k] ?? drawn()
    actions.push(action)
    await WAYS[action.kind](action)
    await (action.kind === 'calm'
      ? pause(120)
      : k % 4 === 3
        ? new Promise((resolve) => window.ownFrame(resolve))
        : pause(0))
    const trouble = window.wrong?.length ? window.wrong.join('; ') : k % 8 === 7 ? broken() : ''
    if (trouble !== '') return { actions, trouble }
  }
  await pause(200)
  return { actions, trouble: window.wrong?.length ? window.wrong.join('; ') : broken() }
}

declare global {
  interface Window {
    /** uncaught errors and rejections, for actions to see at once */
    wrong?: string[]
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
  HTMLInputElement.prototype.showPicker = () => {}
  Element.prototype.requestFullscreen = () => Promise.resolve()
  window.open = () => null
  window.print = () => {}
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: () => Promise.resolve(), write: () => Promise.resolve() },
  })
}

/** A shorter list that still fails, by taking out ever smaller parts (ddmin); fails is asked at most `most` times. */
export async function shorter(
  actions: readonly Action[],
  fails: (actions: Action[]) => Promise<boolean>,
  most: number,
): Promise<Action[]> {
  let left = [...actions]
  let asked = 0
  for (let size = Math.ceil(left.length / 2); size >= 1 && asked < most; size = size > 1 ? Math.ceil(size / 2) : 0)
    for (let from = 0; from < left.length && asked < most; ) {
      const without = [...left.slice(0, from), ...left.slice(from + size)]
      asked++
      if (without.length > 0 && (await fails(without))) left = without
      else from += size
    }
  return left
}
