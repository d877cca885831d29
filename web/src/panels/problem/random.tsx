import { useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { manifest } from '../../state/atoms'
import { MAX_BYTES, parseCount } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { filled, NumberField } from '../controls/field'
import { opened } from '../../state/workbench'
import { nameOf } from '../../state/workbench_values'

const MOST = 2 ** 20

/** Of what a problem was made, as its name tells: a generated one is named after its kind, its buffers and its seed. */
function madeFrom(name: string): { kind: string; count: number; seed: number } | null {
  const [, kind = '', count = '', seed = ''] = /^(.+)-(\d{1,7})-(\d{1,16})\.csv$/.exec(name) ?? []
  return kind === '' ? null : { kind, count: Number(count), seed: Number(seed) }
}

export function Random() {
  const actions = useActions()
  const kinds = useValue(manifest)?.generators ?? []
  const open = madeFrom(nameOf(useValue(opened)?.source))
  const [kind, setKind] = useState(kinds.find((one) => one.kind === open?.kind)?.kind ?? kinds[0]?.kind ?? '')
  const [count, setCount] = useState(open?.count ?? 40)
  const [seed, setSeed] = useState(open?.seed ?? 1)
  const make = (dialog: Element | null) => {
    if (!filled(dialog)) return
    actions.page.openDialog('none')
    void actions.problem.generate(kind, count, seed)
  }
  return (
    <>
      <fieldset>
        <legend>Kind</legend>
        {kinds.map((k) => (
          <label key={k.kind} class="choice">
            <input type="radio" name="kind" checked={k.kind === kind} onChange={() => setKind(k.kind)} />
            <span>
              {k.kind}
              <span class="hint">{k.text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <NumberField
        label="Buffers"
        value={thousands(count)}
        parse={(text) => parseCount(text, 1, MOST)}
        set={setCount}
      />
      <NumberField
        label="Seed"
        value={thousands(seed)}
        parse={(text) => parseCount(text, 0, MAX_BYTES)}
        set={setSeed}
        help="The same seed gives the same problem everywhere."
      />
      <div class="row">
        <button
          type="button"
          class="button primary"
          disabled={kind === ''}
          onClick={(event) => make(event.currentTarget.closest('dialog'))}
        >
          Make and run
        </button>
        <button type="button" class="plain-button" onClick={() => setSeed((seed % 1_000_000) + 1)}>
          Next seed
        </button>
      </div>
    </>
  )
}
