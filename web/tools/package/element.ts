/**
 * <arena-scope>: the page inside of another. A script of its own beside the page, and in the npm package, where the attribute `page` says where
 * the page is. Attributes, messages and events: web/docs/embedding.md.
 */
import type { Asked, Told } from '../../src/state/share/messages'

const HERE = new URL('./', import.meta.url).href
const STYLE =
  ':host{display:block;height:520px}iframe{border:0;width:100%;height:100%}p:not(:empty)+iframe{display:none}'
const PREFIX = 'arenascope/'
const NUMBERS = ['capacity', 'seed', 'budget']
const WORDS = ['solver', 'goal']

export class ArenaScope extends HTMLElement {
  static observedAttributes = [
    'page',
    'link',
    'src',
    'csv',
    'name',
    'profile',
    'options',
    'theme',
    'step',
    ...NUMBERS,
    ...WORDS,
  ]
  readonly #frame = document.createElement('iframe')
  /** what is wrong, in place of the page */
  readonly #wrong = document.createElement('p')
  /** a message that waits for the page to be there */
  #waiting: (() => void) | null = null
  #ready = false
  #asked = 0

  constructor() {
    super()
    const style = document.createElement('style')
    style.textContent = STYLE
    this.#frame.loading = 'lazy'
    this.#wrong.role = 'alert'
    this.attachShadow({ mode: 'open' }).append(style, this.#wrong, this.#frame)
  }

  connectedCallback(): void {
    addEventListener('message', this.#hear)
    this.#frame.title = `Arenascope: ${this.getAttribute('name') ?? 'memory over time'}`
    this.#show()
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear)
  }

  attributeChangedCallback(name: string, _: unknown, value: string | null): void {
    if (!this.isConnected) return
    // of what is shown, another step needs no other run
    if (name === 'step' && value && this.#ready) this.seek(Number(value))
    else this.#show()
  }

  /** search: as in a link's JSON; profile: by its id; step: the one to be shown. */
  open(search: object, profile?: string, step?: number): void {
    this.#say({ type: 'arenascope/open', search, profile, step } as Asked)
  }

  seek(step: number): void {
    this.#say({ type: 'arenascope/seek', step })
  }

  get #page(): string {
    return new URL(this.getAttribute('page') ?? '', HERE).href
  }

  #say(asked: Asked): void {
    const say = () => this.#frame.contentWindow?.postMessage(asked, new URL(this.#page).origin)
    if (this.#ready) say()
    else this.#waiting = say
  }

  readonly #hear = ({ source, data }: MessageEvent<Told>) => {
    if (source !== this.#frame.contentWindow || !`${data?.type}`.startsWith(PREFIX)) return
    if (data.type === 'arenascope/ready') {
      this.#ready = true
      this.#say({ type: 'arenascope/listen' })
      this.#waiting?.()
      this.#waiting = null
    }
    this.#tell(data)
  }

  #tell(detail: Told): void {
    this.dispatchEvent(new CustomEvent(detail.type.slice(PREFIX.length), { detail }))
  }

  async #show(): Promise<void> {
    const asked = ++this.#asked
    // attributes that are set together are taken together
    await null
    if (asked !== this.#asked) return
    const at = (name: string) => this.getAttribute(name)
    const [link, step] = [at('link'), at('step')]
    const theme = at('theme')
    const behind = `&embed=1${theme ? `&theme=${theme}` : ''}${link && step ? `&step=${step}` : ''}`
    const page = `${this.#page}#`
    const address = `${page}${link ?? ''}${behind}`
    this.#wrong.textContent = ''
    if (this.#frame.src !== address) {
      // behind the # nothing loads anew: the page that is there says no second time that it is ready
      this.#ready &&= this.#frame.src.startsWith(page)
      this.#waiting = null
      this.#frame.src = address
    }
    if (link !== null) return
    try {
      const text = at('csv') ?? (await this.#fetched(at('src'))) ?? this.textContent ?? ''
      if (asked !== this.#asked || text.trim() === '') return
      const source = { kind: 'text', name: at('name') ?? at('src')?.split('/').pop() ?? 'problem.csv', text }
      const search: Record<string, unknown> = { solver: 'exact', capacity: 0, source }
      for (const name of NUMBERS) if (this.hasAttribute(name)) search[name] = Number(at(name))
      for (const name of WORDS) if (this.hasAttribute(name)) search[name] = at(name)
      if (this.hasAttribute('options')) search.options = JSON.parse(at('options') ?? '')
      this.open(search, at('profile') ?? undefined, step === null ? undefined : Number(step))
    } catch (error) {
      const { message } = error as Error
      this.#wrong.textContent = message
      this.#tell({ type: 'arenascope/error', message })
    }
  }

  async #fetched(src: string | null): Promise<string | null> {
    if (src === null) return null
    const answer = await fetch(new URL(src, this.baseURI)).catch(() => null)
    if (!answer?.ok) throw new Error(`${src} cannot be fetched: ${answer?.status ?? 'no answer'}`)
    return answer.text()
  }
}

customElements.define('arena-scope', ArenaScope)
