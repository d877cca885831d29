/** A file of one's own, or one of our networks from a table: peak, what greedy planners lose, load over time, parameters. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { bytes, exactBytes, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { stepPath } from '../../layout/model/step_path'
import { lookAtZoo } from '../../run/model/zoo_facts'
import { manifest } from '../../state/atoms'
import { type Column, type Order, ordered } from '../../state/compare/table'
import { type ZooFacts, zooFacts } from '../../state/model/zoo_facts'
import { type Entry, networks, parametersOf } from '../../state/model/zoo_networks'
import { useActions } from '../page/context'
import { DataTable } from '../controls/data_table'
import { filled } from '../controls/field'
import { OptionForm } from '../controls/option_form'
import { OpenFile } from '../problem/open_file'
import { opened } from '../../state/workbench'
import '../../styles/later'

interface Row {
  entry: Entry
  facts: ZooFacts | undefined
}

const lossOf = ({ facts }: Row) => facts?.loss.share ?? null

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'network',
    title: 'Network',
    number: false,
    value: ({ entry }) => entry.title,
    shown: ({ entry }) => entry.title,
  },
  {
    id: 'peak',
    title: 'Peak',
    number: true,
    value: ({ facts }) => facts?.peak ?? null,
    shown: ({ facts }) => (facts === undefined ? '–' : bytes(facts.peak)),
  },
  {
    id: 'loss',
    title: 'Greedy misses by',
    number: true,
    value: lossOf,
    shown: ({ facts }) => (facts === undefined ? '–' : facts.loss.share === 0 ? 'nothing' : percent(facts.loss.share)),
  },
  {
    id: 'load',
    title: 'Load over time',
    number: false,
    value: ({ facts }) => facts?.operators ?? null,
    shown: () => '',
  },
  { id: 'open', title: '', number: false, value: () => null, shown: () => '' },
]

const SPARK = { width: 96, height: 20 }

function loadPath({ sections, peak }: ZooFacts): string {
  const [t0, t1] = [sections.lower[0] ?? 0, sections.upper[sections.count - 1] ?? 1]
  return stepPath(sections, sections.load, { t0, t1, top: Math.max(1, peak), ...SPARK }, true)
}

function Spark({ facts }: { facts: ZooFacts | undefined }) {
  const { width, height } = SPARK
  return (
    <svg
      class="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={facts === undefined ? 'not known yet' : `load over ${thousands(facts.operators)} operators`}
    >
      {facts !== undefined && <path class="chart-load" d={loadPath(facts)} />}
    </svg>
  )
}

type Values = Readonly<Record<string, string>>

/** Parameters by network, changed from their defaults; the open one begins as it was opened. */
function useParameters(now: string, before: Values) {
  const [all, setAll] = useState<Readonly<Record<string, Values>>>({ [now]: before })
  const of = (id: string): Record<string, string> => ({ ...all[id] })
  const set = (entry: Entry, name: string, value: string) => {
    const { [name]: _, ...others } = of(entry.id)
    const initial = parametersOf(entry).find((one) => one.name === name)?.initial
    setAll({ ...all, [entry.id]: value === initial ? others : { ...others, [name]: value } })
  }
  return { of, set }
}

export function Zoo() {
  const actions = useActions()
  const source = useValue(opened)?.source
  const from = source?.kind === 'model' && source.from.kind === 'zoo' ? source.from : null
  const ready = useValue(manifest) !== null
  const facts = useValue(zooFacts)
  const [chosen, choose] = useState(from?.id ?? '')
  const [order, setOrder] = useState<Order | null>(null)
  const [search, setSearch] = useState('')
  const parameters = useParameters(from?.id ?? '', from?.options ?? {})
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!ready) return
    const end = new AbortController()
    // what is not known of a network is no reason not to open it
    lookAtZoo(networks, end.signal).catch(() => {})
    return () => end.abort()
  }, [ready])
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = networks.map((entry): Row => ({ entry, facts: facts.get(entry.id) }))
  const found = all.filter(({ entry: { id, title, family, text } }) => {
    const about = `${id} ${title} ${family} ${text}`.toLowerCase()
    return words.every((word) => about.includes(word))
  })
  const open = ({ id }: Entry) => {
    if (chosen === id && !filled(box.current)) return
    actions.page.openDialog('none')
    void actions.model.openZoo(id, parameters.of(id))
  }
  const cell = ({ entry, facts: known }: Row, { id }: Column<Row>) => {
    if (id === 'network')
      return (
        <button
          type="button"
          class="network-title"
          title={entry.text}
          aria-expanded={chosen === entry.id}
          onClick={() => choose(chosen === entry.id ? '' : entry.id)}
        >
          <b>{entry.title}</b>
        </button>
      )
    if (id === 'peak' && known !== undefined) return <span title={exactBytes(known.peak)}>{bytes(known.peak)}</span>
    if (id === 'loss' && known !== undefined && known.loss.share > 0)
      return (
        <span class="loss-bar" title={`${known.loss.solver}, above the peak`}>
          {percent(known.loss.share)} <span class="hint">{known.loss.solver}</span>
        </span>
      )
    if (id === 'load') return <Spark facts={known} />
    if (id !== 'open') return null
    return (
      <button
        type="button"
        class={`button${chosen === entry.id ? ' primary' : ''}`}
        aria-label={`Open ${entry.title}`}
        onClick={() => open(entry)}
      >
        Open
      </button>
    )
  }
  return (
    <div class="zoo" ref={box}>
      <div class="row row-wrap">
        <OpenFile label="Your file…" class="button primary" />
        <span class="hint">
          A .tflite, .onnx or .pte<span class="wide-only"> (or drop it here)</span>. It stays on this machine.
        </span>
      </div>
      <div class="row row-wrap">
        <input
          type="search"
          class="profile-search"
          aria-label="Find a network"
          placeholder="Find by name or what it shows"
          autocomplete="off"
          spellcheck={false}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <span class="hint">
          {found.length === 0
            ? 'No network has these words.'
            : 'Public architectures, made here from their papers and code.'}
        </span>
      </div>
      <DataTable
        name="Networks"
        columns={COLUMNS}
        rows={ordered(found, COLUMNS, order)}
        order={order}
        setOrder={setOrder}
        rowKey={({ entry }) => entry.id}
        cell={cell}
        under={({ entry }) =>
          chosen === entry.id && (
            <>
              <p class="hint network-text">{entry.text}</p>
              <div class="network-form">
                <OptionForm
                  id={`zoo ${entry.id}`}
                  options={parametersOf(entry)}
                  values={parameters.of(entry.id)}
                  set={(name, value) => parameters.set(entry, name, value)}
                />
              </div>
            </>
          )
        }
      />
      <p class="hint">
        Peak: the least memory, with one byte an element. Greedy: the worst of TFLite Micro, LiteRT and largest first. A
        name shows what can be changed.
      </p>
    </div>
  )
}
