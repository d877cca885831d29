/** The memory that the problem is placed in: its name, what it asks of the buffers, and the way to the others. */
import { bytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { type Profile, usable } from '../../state/profile/profile'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { capacity, profile } from '../../state/workbench'

const APPLIES = { offset: 'offsets', size: 'sizes', both: 'offsets and sizes' } as const

/** In a few words; '' if it asks for nothing. */
export function demands({ alignment, alignBy, bank, mayCross }: Profile): string {
  const list: string[] = []
  if (alignment > 1) list.push(`${APPLIES[alignBy]} in ${bytes(alignment)}`)
  if (bank > 0 && !mayCross) list.push(`banks of ${bytes(bank)} not crossed`)
  return list.join(', ')
}

export function ProfileField() {
  const actions = useActions()
  const chosen = useValue(profile)
  const now = useValue(capacity)
  const asked = chosen === null ? '' : demands(chosen)
  const own = chosen === null ? 0 : usable(chosen)
  return (
    <>
      <div class="field">
        <span aria-hidden="true">Profile</span>
        <button
          type="button"
          class="select-button profile-button"
          aria-haspopup="dialog"
          aria-label={`Profile: ${chosen?.title ?? 'none'}`}
          title={chosen?.title ?? 'Choose the memory of an accelerator'}
          onClick={() => actions.page.openDialog('profiles')}
        >
          <span class="clip">{chosen?.title ?? 'none'}</span>
          <I name="down" />
        </button>
      </div>
      {asked !== '' && <p class="hint">In it: {asked}.</p>}
      {own > 0 && own !== now && (
        <p class="hint">
          It has {bytes(own)}.{' '}
          <button type="button" class="text-button" onClick={() => actions.solver.setCapacity(own)}>
            Use that
          </button>
        </p>
      )}
    </>
  )
}
