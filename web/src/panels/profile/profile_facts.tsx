/** What is known of a profile: each figure with who says so. */
import { bytes, exactBytes, thousands } from '../../base/format'
import { boundless } from '../../state/profile/chips'
import { isOwn, type Profile, usable } from '../../state/profile/profile'
import { type ProfileText, type Status, textOf } from '../../state/profile/profile_texts'

const APPLIES = {
  offset: 'offsets are multiples of it',
  size: 'sizes are rounded up to it',
  both: 'offsets are multiples of it, sizes are rounded up to it',
} as const

function Fact(props: {
  name: string
  value: string
  /** what goes with it, in words */
  note?: string
  exact?: string
  figure?: { status: Status; source?: string } | undefined
}) {
  const { name, value, note, exact, figure } = props
  return (
    <div class="profile-fact">
      <dt>{name}</dt>
      <dd>
        <span class="profile-value" title={exact}>
          {value}
        </span>
        {note !== undefined && <span class="profile-note">{note}</span>}
        {figure !== undefined && (
          <span class={`profile-status profile-${figure.status.replace(' ', '-')}`}>{figure.status}</span>
        )}
        {figure?.source !== undefined && <span class="profile-source">{figure.source}</span>}
      </dd>
    </div>
  )
}

function bytesFact(name: string, size: number, figure?: { status: Status; source?: string }) {
  return (
    <Fact name={name} value={boundless(size) ? 'no limit' : bytes(size)} exact={exactBytes(size)} figure={figure} />
  )
}

function More({ text }: { text: ProfileText }) {
  const { cores, dtype, transfer, pools, notes } = text
  return (
    <>
      {cores !== undefined && <Fact name="Cores" value={thousands(cores.count)} note={cores.of} figure={cores} />}
      <Fact name="Data type" value={dtype.name} figure={dtype} />
      {transfer !== undefined && (
        <Fact
          name="Transfer"
          value={`${thousands(transfer.picosecondsPerByte)} ps`}
          note="a byte"
          exact="From or to the memory behind this one"
          figure={transfer}
        />
      )}
      {pools !== undefined && (
        <Fact name="Pools" value={pools.map((pool) => `${pool.name} ${bytes(pool.bytes)}`).join(', ')} />
      )}
      {notes !== undefined && <p class="hint">{notes}</p>}
    </>
  )
}

export function Facts({ profile }: { profile: Profile | null }) {
  if (profile === null) {
    return (
      <p class="prose">
        Without a profile, buffers have the alignments and banks of their file, and the capacity is yours to set.
      </p>
    )
  }
  const text = isOwn(profile) ? undefined : textOf(profile.id)
  const { title, vendor, capacity, reserved, alignment, alignBy, bank, mayCross } = profile
  return (
    <div class="profile-facts">
      <h3 class="profile-title">{title}</h3>
      <p class="hint">{text === undefined ? 'A profile of your own.' : `${vendor}: ${text.memory}.`}</p>
      <dl>
        {capacity === 0 ? (
          <Fact name="Capacity" value="unknown" figure={text?.capacity} />
        ) : (
          bytesFact('Capacity', capacity, text?.capacity)
        )}
        {reserved > 0 && bytesFact('Reserved', reserved, text?.reserved)}
        {reserved > 0 && bytesFact('For buffers', usable(profile))}
        <Fact
          name="Alignment"
          value={alignment === 1 ? 'none' : bytes(alignment)}
          {...(alignment === 1 ? {} : { note: APPLIES[alignBy] })}
          exact={exactBytes(alignment)}
          figure={text?.alignment}
        />
        {bank > 0 && (
          <Fact
            name="Banks"
            value={`${capacity > 0 ? `${thousands(Math.ceil(capacity / bank))} × ` : ''}${bytes(bank)}`}
            note={mayCross ? 'a buffer may cross them' : 'no buffer may cross them'}
            exact={exactBytes(bank)}
            figure={text?.banks}
          />
        )}
        {text !== undefined && <More text={text} />}
      </dl>
    </div>
  )
}
