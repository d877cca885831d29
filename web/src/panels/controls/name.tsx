import '../../styles/later'

/** A buffer's name in a list: where it has no room its middle is left out, since many begin alike and the last part tells them apart. */
export function Name({ of = '' }: { of: string | undefined }) {
  const last = of.lastIndexOf('/')
  if (last <= 0) return <>{of}</>
  return (
    <span class="name">
      <span class="clip">{of.slice(0, last)}</span>
      <span class="clip">{of.slice(last)}</span>
    </span>
  )
}
