import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { manifest } from '../../state/atoms'
import { Part } from '../controls/later_part'

/** Most visits begin with a problem. */
const beginnings = new Later(() => import('./beginnings'))

/** Where there is no problem yet, the canvas is the way in. */
export function FirstPage({ busy }: { busy: boolean }) {
  const there = useValue(manifest) !== null
  if (busy) {
    return (
      <p class="first-page-wait" role="status">
        {there ? 'Reading the problem…' : 'Loading the solver…'}
      </p>
    )
  }
  // the message above says why; nothing that could be opened here would be read
  if (!there) {
    return (
      <div class="first-page-wait">
        <button type="button" class="button primary" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    )
  }
  return <Part of={beginnings}>{({ Beginnings }) => <Beginnings />}</Part>
}
