/** Which chips does it fit? One table of all profiles: what there is, what the open problem needs there, and by how much it fits or misses. */
import { useEffect, useState } from 'preact/hooks'
import { bytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { fitChips } from '../../run/profile/chips'
import { manifest, sayWhy, ownProfiles } from '../../state/atoms'
import { type Order, ordered } from '../../state/compare/table'
import {
  CHIP_COLUMNS,
  CHIPS_FLAG,
  type Chip,
  chips,
  fitOf,
  fitWords,
  setChips,
  spareOf,
} from '../../state/profile/chips'
import { usable } from '../../state/profile/profile'
import { known } from '../../state/profile/profile_texts'
import { opened } from '../../state/workbench'
import { nameOf } from '../../state/workbench_values'
import { CopyTable, DataTable } from '../controls/data_table'
import { I } from '../controls/icons'
import { useActions } from '../page/context'
import { finds, ProfileSearch } from './profile_search'
import '../../styles/later'

/** Works them out for what is open; what is known stays known. */
function useChips(): readonly Chip[] | null {
  const now = useValue(opened)
  const own = useValue(ownProfiles)
  const ready = useValue(manifest) !== null
  const held = useValue(chips)
  useEffect(() => {
    if (now === null || !ready) return
    if (chips.get()?.of === now && chips.get()?.chips?.length === own.length + known.length) return
    const end = new AbortController()
    setChips({ of: now, chips: null })
    fitChips(now, [...own, ...known], (all) => setChips({ of: now, chips: all }), end.signal).catch(
      (error: unknown) => {
        sayWhy(error)
      },
    )
    return () => end.abort()
  }, [now, own, ready])
  return held !== null && held.of === now ? held.chips : null
}

/** "Fits 41 of 85. The smallest is …" */
function inWords(all: readonly Chip[]): string {
  const fitting = all.filter((chip) => fitOf(chip) === 'fits')
  const missing = all.filter((chip) => fitOf(chip) === 'misses')
  const room = ({ profile }: Chip) => usable(profile)
  const smallest = [...fitting].sort((x, y) => room(x) - room(y))[0]
  const nearest = [...missing].sort((x, y) => (spareOf(y) ?? 0) - (spareOf(x) ?? 0))[0]
  const least =
    smallest === undefined ? '' : ` The smallest that does: ${smallest.profile.title}, ${bytes(room(smallest))}.`
  const near =
    nearest === undefined ? '' : ` The nearest miss: ${nearest.profile.title}, by ${bytes(-(spareOf(nearest) ?? 0))}.`
  return `Fits ${thousands(fitting.length)} of ${thousands(all.length)}.${least}${near}`
}

/** Those that fit, the smallest first; then those that miss, the nearest first; then what nobody can say. */
function nearestFirst(all: readonly Chip[]): Chip[] {
  const rank = (chip: Chip) => ['fits', 'misses', 'open', 'unknown', 'refused'].indexOf(fitOf(chip))
  const missing = (chip: Chip) => Math.abs(spareOf(chip) ?? usable(chip.profile))
  return [...all].sort((x, y) => rank(x) - rank(y) || missing(x) - missing(y))
}

function CopyLink() {
  const actions = useActions()
  const [said, say] = useState('')
  const copy = async () => {
    const pack = await actions.share.gather()
    const made = await pack?.('')
    if (made?.kind !== 'link') {
      say('It is too long for a link.')
      return
    }
    const fragment = `${made.fragment}&${CHIPS_FLAG}`
    try {
      await navigator.clipboard.writeText(`${location.origin}${location.pathname}${location.search}#${fragment}`)
      say('Link copied.')
    } catch {
      // the address of the page is one that can be copied by hand
      history.replaceState(history.state, '', `#${fragment}`)
      say('The browser does not let the page copy: the link is in the address bar.')
    }
  }
  return (
    <>
      <span class="hint" role="status">
        {said}
      </span>
      <button type="button" class="quiet-button" onClick={() => void copy().catch(() => {})}>
        Copy link
      </button>
    </>
  )
}

/** The rest is for who takes the table along. */
const SHOWN = ['chip', 'spare_bytes', 'room_bytes', 'needs_bytes', 'vendor']

const TONES: Readonly<Record<string, string>> = { fits: 'ok', misses: 'why' }

export function ChipTable() {
  const actions = useActions()
  const now = useValue(opened)
  const all = useChips()
  const [order, setOrder] = useState<Order | null>(null)
  const [search, setSearch] = useState('')
  if (now === null) return <p class="hint">Nothing is open.</p>
  if (all === null)
    return (
      <p class="hint" role="status">
        Placing it in the memory of each…
      </p>
    )
  const found = finds(search)
  const columns = SHOWN.flatMap((wanted) => CHIP_COLUMNS.filter(({ id }) => id === wanted))
  const rows = ordered(nearestFirst(all.filter(({ profile }) => found(profile))), CHIP_COLUMNS, order)
  const use = async ({ profile }: Chip) => {
    if (await actions.profile.chooseProfile(profile)) actions.page.openDialog('none')
  }
  return (
    <div class="chip-table">
      <p class="prose">{inWords(all)}</p>
      <div class="row row-wrap">
        <ProfileSearch search={search} setSearch={setSearch} />
        <span class="spring" />
        <CopyLink />
        <CopyTable columns={CHIP_COLUMNS} rows={rows} file="arenascope.chips" />
      </div>
      <DataTable
        name={`${nameOf(now.source)} on ${thousands(rows.length)} profiles`}
        columns={columns}
        rows={rows}
        order={order}
        setOrder={setOrder}
        rowKey={({ profile }) => profile.id}
        cell={(chip, column) => {
          const fit = fitOf(chip)
          if (column.id === 'chip')
            return (
              <button
                type="button"
                class="text-button"
                title={`${chip.memory} Use this profile`}
                onClick={() => void use(chip)}
              >
                {chip.profile.title}
              </button>
            )
          if (column.id !== 'spare_bytes') return null
          return (
            <span class={`chip-fit ${TONES[fit] ?? 'dim'}`} title={chip.need.ok ? undefined : chip.need.why}>
              {(fit === 'fits' || fit === 'misses') && <I name={fit === 'fits' ? 'tick' : 'cross'} />}
              {fitWords(chip)}
            </span>
          )
        }}
      />
      <p class="hint">
        The order of operators is the one that is open. Sizes and alignments are those of each memory; proven by the
        exact solver unless it says at most or at least.
      </p>
    </div>
  )
}
