/** From the model that is open to tasks on tiles: the bytes on the chip, the order, the layout. */
import { useValue } from '../../base/use_value'
import { chooseTiling, openTasks, saveTasks } from '../../run/tiles/make_tasks'
import { budgets } from '../../state/model/budgets'
import { capacityText, parseBytes } from '../../state/page/quantity'
import { usable } from '../../state/profile/profile'
import { known } from '../../state/profile/profile_texts'
import { tilingChoice, tilingRefused } from '../../state/tiles/tiling'
import { opened } from '../../state/workbench'
import { NumberField } from '../controls/field'
import { OptionForm } from '../controls/option_form'
import { useActions } from '../page/context'

/** A part of what one operator needs, so that it falls into tiles. */
const SHARE = 8

const chips = known.filter((profile) => usable(profile) > 0)

function Chip({ budget }: { budget: number }) {
  const chosen = chips.find((profile) => usable(profile) === budget)
  return (
    <div class="field">
      <label for="tiling-chip">As of</label>
      <span class="field-box">
        <select
          id="tiling-chip"
          value={chosen?.id ?? ''}
          onChange={(event) => {
            const next = chips.find(({ id }) => id === event.currentTarget.value)
            if (next !== undefined) chooseTiling({ budget: usable(next) })
          }}
        >
          <option value="">no profile</option>
          {chips.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

export function Tiling() {
  const actions = useActions()
  const model = useValue(opened)?.model
  const { budget: asked, options } = useValue(tilingChoice)
  const refused = useValue(tilingRefused)
  const required = useValue(budgets)?.required ?? 0
  if (model === undefined) return null
  const budget = asked > 0 ? asked : Math.max(1, Math.ceil(required / SHARE))
  return (
    <section class="tab-part" aria-labelledby="tiling-head">
      <header class="section-head">
        <h2 id="tiling-head">Tiles</h2>
      </header>
      <p class="hint">
        A chip too small for whole tensors works tile by tile, and each tile’s bytes in the large memory are free once
        it was last read.
      </p>
      <NumberField
        label="On the chip"
        value={capacityText(budget)}
        parse={parseBytes}
        set={(value) => chooseTiling({ budget: value })}
        help="Bytes in which a tile and all that it needs lie. Accepts 1048576, 1,024 KiB or 1 MiB."
      />
      <Chip budget={budget} />
      <OptionForm
        id="tiling"
        options={model.tileOptions}
        values={options}
        set={(name, value) => chooseTiling({ options: { ...options, [name]: value } })}
      />
      {refused !== '' && (
        <p class="why" role="alert">
          {refused}
        </p>
      )}
      <div class="row row-wrap">
        <button type="button" class="button" onClick={() => void openTasks(actions, budget)}>
          Open the tasks
        </button>
        <button type="button" class="button" onClick={() => void saveTasks(actions, budget)}>
          Save the tasks
        </button>
      </div>
    </section>
  )
}
