import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { thousands } from '../base/format'
import { useValue } from '../base/use_value'
import type { SharedOut } from '../run/link'
import { cursor } from '../state/atoms'
import { useActions } from './context'

type Made = { kind: 'making' } | { kind: 'none'; why: string } | SharedOut

function Link({ fragment }: { fragment: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const url = `${location.origin}${location.pathname}${location.search}#${fragment}`
  useLayoutEffect(() => field.current?.select(), [])
  const copy = async () => {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(url)
      setSaid('Copied.')
    } catch {
      setSaid('The browser does not let the page copy: press Ctrl+C.')
    }
  }
  return (
    <>
      <div class="row">
        <input ref={field} class="mono share-url" type="text" readOnly aria-label="Link" value={url} />
        <button type="button" class="button primary" onClick={() => void copy()}>
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

export function Share() {
  const actions = useActions()
  const step = useValue(cursor)
  const [made, setMade] = useState<Made>({ kind: 'making' })
  useEffect(() => {
    actions
      .share()
      .then((out) => setMade(out ?? { kind: 'none', why: 'There is nothing to share yet.' }))
      .catch((error: unknown) => setMade({ kind: 'none', why: error instanceof Error ? error.message : String(error) }))
  }, [])
  return (
    <>
      <p class="prose">
        Whoever opens it sees the same problem, solver and options at step {thousands(step)}, and whether their machine
        took the same steps.
      </p>
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
      {made.kind === 'link' && <Link fragment={made.fragment} />}
      {made.kind === 'file' && (
        <>
          <p class="hint">
            This problem is too large for a link. Send the file instead: it opens by dropping it on the page.
          </p>
          <button type="button" class="button primary" onClick={() => void actions.saveShared(made)}>
            Save file
          </button>
        </>
      )}
    </>
  )
}
