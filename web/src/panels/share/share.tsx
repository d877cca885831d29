import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import type { SharedOut } from '../../run/share/link'
import { withUrlFlags } from '../../state/share/url_flags'
import { Pick } from '../controls/choice'
import { useActions } from '../page/context'
import { chooseText } from '../controls/field'
import { NOTE_LIMIT, shownMarks } from '../../state/marks/marks'
import { message, setMessage } from '../../state/marks/tour'
import { cursor, mode, opened } from '../../state/workbench'
import { nameOf } from '../../state/workbench_values'
import '../../styles/later'

type Made = { kind: 'making' } | { kind: 'none'; why: string } | SharedOut

const exports = new Later(() => import('../../run/share/exports'))
const address = (fragment: string) => `${location.origin}${location.pathname}${location.search}#${fragment}`

/** Puts a text on the clipboard and says so, or how it can be done by hand. */
function useCopy(): [said: string, copy: (text: string) => Promise<void>] {
  const [said, setSaid] = useState('')
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied.')
    } catch {
      setSaid('The browser does not let the page copy: press Ctrl+C.')
    }
  }
  return [said, copy]
}

function Link({ fragment }: { fragment: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [said, copy] = useCopy()
  const url = address(fragment)
  useLayoutEffect(() => chooseText(field.current), [])
  const press = () => {
    chooseText(field.current)
    void copy(url)
  }
  return (
    <>
      <div class="row">
        <input ref={field} class="mono share-url" type="text" readOnly aria-label="Link" value={url} />
        <button type="button" class="button primary" onClick={press}>
          Copy link
        </button>
      </div>
      <p class="hint" role="status">
        {said === ''
          ? `${thousands(url.length)} characters. The link holds all of it; nothing is stored anywhere.`
          : said}
      </p>
    </>
  )
}

const SIZES = [
  ['640x420', '640 × 420'],
  ['800x520', '800 × 520'],
  ['960x600', '960 × 600'],
  ['100%x480', 'Full width × 480'],
] as const
const THEMES = [
  ['system', 'The reader’s'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** A text for an attribute of HTML. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** For course pages: what is shared, inside of another page. */
function Snippet({ fragment }: { fragment: string }) {
  const id = useId()
  const name = nameOf(useValue(opened)?.source)
  const [size, setSize] = useState<(typeof SIZES)[number][0]>('800x520')
  const [theme, setTheme] = useState<(typeof THEMES)[number][0]>('system')
  const [said, copy] = useCopy()
  const field = useRef<HTMLTextAreaElement>(null)
  const [width, height] = size.split('x')
  const src = address(withUrlFlags(fragment, { embed: true, theme: theme === 'system' ? null : theme, step: null }))
  const html =
    `<iframe src="${attribute(src)}" width="${width}" height="${height}" title="${attribute(`Arenascope: ${name}`)}" ` +
    'loading="lazy" style="border: 1px solid #8886"></iframe>'
  const press = () => {
    chooseText(field.current)
    void copy(html)
  }
  return (
    <section class="share-part" aria-labelledby={id}>
      <h3 id={id}>Embed</h3>
      <p class="hint">
        The canvas, the sentence and the transport inside of a page of your own, with a link to all of it.
      </p>
      <div class="figure-form">
        <Pick label="Size" value={size} choices={SIZES} set={setSize} />
        <Pick label="Theme" value={theme} choices={THEMES} set={setTheme} />
      </div>
      <div class="row">
        <textarea ref={field} class="mono share-snippet" rows={3} readOnly aria-label="Embed code" value={html} />
        <button type="button" class="button" onClick={press}>
          Copy code
        </button>
      </div>
      <p class="hint" role="status">
        {said}
      </p>
    </section>
  )
}

/** The result in words, and the search as a file. */
function More({ fragment }: { fragment: string }) {
  const actions = useActions()
  const [said, copy] = useCopy()
  const markdown = async () => {
    const part = await exports.get()
    await copy(part.markdownNow(fragment === '' ? '' : address(fragment)))
  }
  return (
    <section class="share-part" aria-label="Other ways">
      <div class="row row-wrap">
        <button type="button" class="button" onClick={() => void markdown().catch(() => {})}>
          Copy as Markdown
        </button>
        <button
          type="button"
          class="button"
          onClick={() => void actions.share.export((part) => part.saveSearch(actions))}
        >
          Save file
        </button>
        <span class="hint" role="status">
          {said === '' ? 'A file opens with File… or by dropping it on the page.' : said}
        </span>
      </div>
    </section>
  )
}

/** What stands beside the canvas when the link is opened, before the notes of the marks. */
function Say({ changed }: { changed: () => void }) {
  const text = useValue(message)
  const marks = useValue(shownMarks).filter(({ note, ask }) => note !== '' || ask !== undefined).length
  return (
    <label class="share-say">
      <span>Say something (optional)</span>
      <input
        type="text"
        class="input"
        maxLength={NOTE_LIMIT}
        value={text}
        onInput={(event) => {
          setMessage(event.currentTarget.value)
          changed()
        }}
      />
      {marks > 0 && (
        <span class="hint">
          {marks === 1
            ? 'The note of a mark follows it.'
            : `The notes of ${marks} marks follow it, one after the other.`}
        </span>
      )}
    </label>
  )
}

export function Share() {
  const actions = useActions()
  const step = useValue(cursor)
  const comparing = useValue(mode) === 'compare'
  const [made, setMade] = useState<Made>({ kind: 'making' })
  const pack = useRef<((message: string) => Promise<SharedOut>) | null>(null)
  /** the last one asked for: packing takes its time */
  const asked = useRef(0)
  const say = (why: unknown) => setMade({ kind: 'none', why: why instanceof Error ? why.message : String(why) })
  const make = () => {
    asked.current += 1
    const mine = asked.current
    pack
      .current?.(message.get().trim())
      .then((out) => mine === asked.current && setMade(out))
      .catch(say)
  }
  useEffect(() => {
    actions.share
      .gather()
      .then((found) => {
        pack.current = found
        if (found === null) say('There is nothing to share yet.')
        else make()
      })
      .catch(say)
  }, [])
  return (
    <>
      <p class="prose">
        {comparing
          ? 'Whoever opens it lands in this comparison with the same runs, and sees whether their machine took the same steps.'
          : `Whoever opens it sees the same problem, solver and options at step ${thousands(step)}, looked at as you do now, and whether their machine took the same steps.`}
      </p>
      <Say changed={make} />
      {made.kind === 'making' && (
        <p class="hint" role="status">
          Making the link…
        </p>
      )}
      {made.kind === 'none' && (
        <p class="hint" role="status">
          {made.why}
        </p>
      )}
      {made.kind === 'link' && (
        <>
          <Link fragment={made.fragment} />
          <Snippet fragment={made.fragment} />
          <More fragment={made.fragment} />
        </>
      )}
      {made.kind === 'file' && (
        <>
          <p class="hint">
            This problem is too large for a link. Send the file instead: it opens by dropping it on the page.
          </p>
          <More fragment="" />
        </>
      )}
    </>
  )
}
