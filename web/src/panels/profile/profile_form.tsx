/** A profile of the reader's own, being changed. Nothing is kept before it is saved. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AlignBy } from '../../../../wasm/client/types'
import { useValue } from '../../base/use_value'
import { faultOf, type Profile, TITLE_LIMIT } from '../../state/profile/profile'
import { capacityText, type Parsed, parseBytes } from '../../state/page/quantity'
import { misfilled } from '../../state/ui'
import { chooseText, filled, NumberField, wrongIn } from '../controls/field'

/** Bytes, or none. */
function parseSome(text: string): Parsed {
  return /^\s*(0|none)?\s*$/i.test(text) ? { ok: true, value: 0 } : parseBytes(text)
}

const CHOICES: [AlignBy, string][] = [
  ['offset', 'offsets'],
  ['size', 'sizes'],
  ['both', 'offsets and sizes'],
]

export function ProfileForm(props: {
  profile: Profile
  /** why the problem does not go with what was saved last; '': it does */
  refused: string
  save: (profile: Profile) => void
  cancel: () => void
}) {
  const [made, setMade] = useState(props.profile)
  const [tried, setTried] = useState(false)
  useValue(misfilled)
  const name = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  // before anyone can type: a later effect would take the focus from the field they chose
  useLayoutEffect(() => chooseText(name.current), [])
  const set = (change: Partial<Profile>) => setMade((before) => ({ ...before, ...change }))
  const fault = faultOf(made)
  const typing = wrongIn(form.current) !== null ? 'A field above holds no number of bytes.' : ''
  const said = (tried && (fault || typing)) || props.refused
  const save = () => {
    setTried(true)
    if (fault === '' && filled(form.current)) props.save({ ...made, title: made.title.trim() })
  }
  return (
    <form
      ref={form}
      class="profile-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <span class="field-box">
          <input
            ref={name}
            id={`${id}-name`}
            type="text"
            maxLength={TITLE_LIMIT}
            autocomplete="off"
            value={made.title}
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
        </span>
      </div>
      <NumberField
        label="Capacity"
        value={capacityText(made.capacity)}
        parse={parseSome}
        set={(capacity) => set({ capacity })}
        help="Bytes that a plan may address, what is reserved included. 0: not known."
      />
      <NumberField
        label="Reserved"
        value={capacityText(made.reserved)}
        parse={parseSome}
        set={(reserved) => set({ reserved })}
        help="Of those, bytes at the upper end that are not for buffers."
      />
      <NumberField
        label="Alignment"
        value={capacityText(made.alignment)}
        parse={parseBytes}
        set={(alignment) => set({ alignment })}
        help="Bytes; 1: none."
      />
      <div class="field">
        <label for={`${id}-by`}>Applies to</label>
        <span class="field-box">
          <select
            id={`${id}-by`}
            value={made.alignBy}
            onChange={(event) => {
              const by = CHOICES.find(([key]) => key === event.currentTarget.value)
              if (by !== undefined) set({ alignBy: by[0] })
            }}
          >
            {CHOICES.map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
        </span>
      </div>
      <NumberField
        label="Bank"
        value={capacityText(made.bank)}
        parse={parseSome}
        set={(bank) => set({ bank })}
        help="Bytes of one bank; 0: the memory has none."
      />
      <label class="check">
        <input
          type="checkbox"
          checked={made.mayCross}
          disabled={made.bank === 0}
          onChange={(event) => set({ mayCross: event.currentTarget.checked })}
        />
        <span>A buffer may lie in more than one bank</span>
      </label>
      {said !== '' && (
        <p class="why" role="alert">
          {said}
        </p>
      )}
      <div class="row">
        <button type="submit" class="button primary">
          Save
        </button>
        <button type="button" class="button" onClick={props.cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
