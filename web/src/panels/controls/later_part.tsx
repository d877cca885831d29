/** The place of a part of the page that may still have to be fetched. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Later } from '../../base/later'
import { useValue } from '../../base/use_value'

/**
 * Shows the part if it is there, at once; else that it is coming, or that it could not be fetched. quiet: nothing until it is there, for what the
 * first view can do without.
 */
export function Part<T>(props: { of: Later<T>; quiet?: boolean; children: (part: T) => ComponentChildren }) {
  const { of, quiet, children } = props
  const now = useValue(of.arrival)
  const fetch = () => void of.get().catch(() => {})
  useEffect(fetch, [of])
  if (now.kind === 'there') return <>{children(now.part)}</>
  if (quiet) return null
  if (now.kind !== 'failed') {
    return (
      <p class="part hint" role="status">
        Fetching this part of the page…
      </p>
    )
  }
  return (
    <div class="part row row-wrap" role="alert">
      <span class="why">This part of the page could not be fetched. Nothing is lost.</span>
      <button type="button" class="button" onClick={fetch}>
        Try again
      </button>
    </div>
  )
}
