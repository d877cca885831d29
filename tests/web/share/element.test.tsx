/** <arena-scope> while it is on a page: what is set later is shown, and what cannot be fetched is said. */
import { afterEach, expect, it, vi } from 'vitest'
import { ArenaScope } from '../../../web/tools/package/element'
import { until } from '../support/stand'

afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

interface Stood {
  element: ArenaScope
  frame: HTMLIFrameElement
  /** types of the messages to the page inside, and their steps */
  said: unknown[][]
  ready: () => void
}

function stood(attributes: Record<string, string>): Stood {
  // a frame that loads nothing
  const make = document.createElement.bind(document)
  const making = vi.spyOn(document, 'createElement')
  making.mockImplementation((name: string) => make(name === 'iframe' ? 'div' : name))
  const element = new ArenaScope()
  making.mockRestore()
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  const frame = element.shadowRoot?.lastElementChild as HTMLIFrameElement
  const said: unknown[][] = []
  const inside = { postMessage: ({ type, step }: { type: string; step?: number }) => said.push([type, step]) }
  Object.defineProperty(frame, 'contentWindow', { value: inside })
  const address = { value: '' }
  Object.defineProperty(frame, 'src', { get: () => address.value, set: (value) => (address.value = value) })
  document.body.append(element)
  const ready = () => {
    const told = new MessageEvent('message', { data: { type: 'arenascope/ready', version: 1 } })
    Object.defineProperty(told, 'source', { value: inside })
    dispatchEvent(told)
  }
  return { element, frame, said, ready }
}

const CSV = 'id,lower,upper,size\na,0,1,2\n'

it('shows what is set once the page inside is there, which says so but once', async () => {
  const { element, frame, said, ready } = stood({ csv: CSV, page: 'https://example.org/' })
  await until(() => expect(frame.src).toBe('https://example.org/#&embed=1'))
  ready()
  expect(said.map(([type]) => type)).toEqual(['arenascope/listen', 'arenascope/open'])
  element.setAttribute('theme', 'dark')
  await until(() => expect(frame.src).toContain('&theme=dark'))
  element.seek(3)
  element.setAttribute('csv', `${CSV}b,0,1,2\n`)
  await until(() => expect(said.slice(2).map(([type]) => type)).toContain('arenascope/seek'))
  await until(() => expect(said.at(-1)?.[0]).toBe('arenascope/open'))
  element.setAttribute('link', 's1.abc')
  await until(() => expect(frame.src).toContain('#s1.abc&'))
  element.seek(4)
  expect(said.at(-1)).toEqual(['arenascope/seek', 4])
  // another page has to say that it is there
  const before = said.length
  element.setAttribute('page', 'https://elsewhere.org/')
  await until(() => expect(frame.src).toContain('elsewhere'))
  element.seek(5)
  expect(said).toHaveLength(before)
  ready()
  expect(said.at(-1)).toEqual(['arenascope/seek', 5])
})

it('goes to another step without another run', async () => {
  const { element, frame, said, ready } = stood({ csv: CSV, step: '2' })
  await until(() => expect(frame.src).not.toBe(''))
  ready()
  await until(() => expect(said.at(-1)).toEqual(['arenascope/open', 2]))
  element.setAttribute('step', '7')
  expect(said.at(-1)).toEqual(['arenascope/seek', 7])
  element.removeAttribute('step')
  await until(() => expect(said.at(-1)).toEqual(['arenascope/open', undefined]))
})

it('says in words what could not be fetched, until something else is asked for', async () => {
  let answer: Response | null = new Response('', { status: 404 })
  vi.stubGlobal('fetch', async () => {
    if (answer === null) throw new TypeError('Failed to fetch')
    return answer
  })
  const { element } = stood({ src: 'nope.csv' })
  const heard: string[] = []
  element.addEventListener('error', (event: Event) =>
    heard.push((event as CustomEvent<{ message: string }>).detail.message),
  )
  const alert = () => element.shadowRoot?.querySelector('[role=alert]')?.textContent
  await until(() => expect(alert()).toBe('nope.csv cannot be fetched: 404'))
  expect(heard).toEqual(['nope.csv cannot be fetched: 404'])
  answer = null
  element.setAttribute('src', 'far.csv')
  await until(() => expect(alert()).toBe('far.csv cannot be fetched: no answer'))
  element.setAttribute('csv', CSV)
  await until(() => expect(alert()).toBe(''))
})
