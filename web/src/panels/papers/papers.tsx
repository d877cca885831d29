/** Each table and figure of the four papers beside what was measured here; a row opens the instance it speaks of. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useWidth } from '../../base/use_size'
import { plotCsv } from '../../export/plot_files'
import { openRow } from '../../run/papers/open_row'
import {
  type Measured,
  type PaperFigure,
  type Papers as Data,
  papers,
  SUITES,
  type Theirs,
} from '../../state/papers/papers'
import { Part } from '../controls/later_part'
import { chartOf, TakeChart } from '../controls/take_chart'
import { useActions } from '../page/context'
import { PlotPicture } from './plot'
import '../../styles/later'

function Printed({ theirs, name }: { theirs: Theirs; name: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys
    <section class="table-box" aria-label={name} tabIndex={0}>
      <table class="data-table papers-table" aria-label={name}>
        <thead>
          <tr>
            {theirs.titles.map((title, k) => (
              <th key={title} scope="col" class={k > 0 ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {theirs.rows.map((cells) => (
            <tr key={cells[0]}>
              {cells.map((text, k) =>
                k === 0 ? (
                  <th key={theirs.titles[k]} scope="row">
                    {text}
                  </th>
                ) : (
                  <td key={theirs.titles[k]} class="number">
                    {text}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Rows({ ours, name }: { ours: Measured; name: string }) {
  const actions = useActions()
  const { columns, rows } = ours
  const open = (at: number) => {
    const row = rows[at]
    if (row?.open === undefined) return
    actions.page.openDialog('none')
    void actions.attempt(() => openRow(actions, row.open as NonNullable<typeof row.open>))
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys
    <section class="table-box" aria-label={name} tabIndex={0}>
      <table class="data-table papers-table" aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ title, right }, k) => (
              <th key={k} scope="col" class={right ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, open: opening }, at) => {
            const opens = opening !== undefined && !('published' in opening)
            return (
              <tr key={at}>
                {cells.map((text, k) =>
                  k === 0 ? (
                    <th key={text} scope="row" class={columns[k]?.right ? 'number' : ''}>
                      {opens ? (
                        <button type="button" class="text-button" title="Opens in the page" onClick={() => open(at)}>
                          {text}
                        </button>
                      ) : (
                        text
                      )}
                    </th>
                  ) : (
                    <td key={k} class={columns[k]?.right ? 'number' : ''}>
                      {text}
                    </td>
                  ),
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** Below it, names of rows would be all dots: it scrolls. A phone has more. */
const LEAST_WIDTH = 300

function Charts({ ours, figure }: { ours: Measured; figure: PaperFigure }) {
  const { host, width } = useWidth()
  return (
    <div class="plots" ref={host}>
      {width > 0 &&
        ours.charts.map((plot, k) => {
          const name = `${figure.where}${plot.title ? ` ${plot.title}` : ''}: ${figure.title}`
          const chart = () => chartOf(host.current?.querySelectorAll('svg.plot')[k] ?? null, name)
          return (
            <figure key={name}>
              <PlotPicture plot={plot} width={Math.max(LEAST_WIDTH, width)} name={name} />
              <TakeChart chart={chart} file={`${figure.paper}-${k}`} csv={() => plotCsv(plot)} />
            </figure>
          )
        })}
    </div>
  )
}

/** Suites whose instances are not part of the project, with where to find them. */
function Elsewhere({ ours }: { ours: Measured }) {
  const suites = new Set(
    ours.rows.flatMap(({ open }) => (open !== undefined && 'published' in open ? [open.suite] : [])),
  )
  return (
    <>
      {[...suites].map((suite) => {
        const { text, url } = SUITES[suite] ?? { text: suite, url: '' }
        return (
          <p class="hint" key={suite}>
            {text}{' '}
            <a href={url} target="_blank" rel="noreferrer">
              {url.replace('https://', '')}
            </a>
          </p>
        )
      })}
    </>
  )
}

function Shown({ figure, data }: { figure: PaperFigure; data: Data }) {
  const paper = data.papers.find(({ id }) => id === figure.paper)
  if (paper === undefined) return null
  const name = `${paper.title}, ${figure.where}`
  const { theirs, said, ours, why, same, command } = figure
  return (
    <article class="papers-figure" aria-label={name}>
      <h3>
        {figure.where}: {figure.title}
      </h3>
      <p class="hint">
        <a href={paper.url} target="_blank" rel="noreferrer">
          {paper.cites}
        </a>
      </p>
      {(said !== undefined || theirs !== undefined) && <h4>The paper</h4>}
      {said !== undefined && <p>{said}</p>}
      {theirs !== undefined && <Printed theirs={theirs} name={`${name}, as printed`} />}
      {ours !== undefined && (
        <>
          <h4>Here</h4>
          {ours.note !== undefined && <p>{ours.note}</p>}
          <Charts ours={ours} figure={figure} />
          <Rows ours={ours} name={`${name}, measured here`} />
          <Elsewhere ours={ours} />
        </>
      )}
      {same !== undefined && <p>The runs are those of {same}.</p>}
      {/* of what was not measured nobody has seen a difference */}
      {(ours !== undefined || command === undefined) && (
        <>
          <h4>Why they differ</h4>
          <p>{why}</p>
        </>
      )}
      {command !== undefined && (
        <p class="hint">
          {figure.date === undefined ? 'To measure it:' : `Measured ${figure.date} on ${figure.machine} by`}{' '}
          <code>{command}</code>
          {figure.busy && ', beside other work, which makes times longer.'}
        </p>
      )}
    </article>
  )
}

function Sheet({ data }: { data: Data }) {
  const [at, choose] = useState(0)
  const shown = useRef<HTMLDivElement>(null)
  const figure = data.figures[at]
  // each begins at its beginning
  useEffect(() => void (at >= 0 && shown.current?.scrollTo(0, 0)), [at])
  return (
    <div class="papers">
      <nav class="papers-list" aria-label="Tables and figures">
        {data.papers.map(({ id, title }) => (
          <section key={id} aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {data.figures.map((one, k) =>
                one.paper === id ? (
                  <li key={one.where}>
                    <button
                      type="button"
                      class="papers-entry"
                      aria-current={k === at ? 'true' : undefined}
                      onClick={() => choose(k)}
                    >
                      <span>{one.where}</span>
                      <span class="papers-entry-title">{one.title}</span>
                    </button>
                  </li>
                ) : null,
              )}
            </ul>
          </section>
        ))}
      </nav>
      <div class="papers-shown" ref={shown}>
        {figure !== undefined && <Shown figure={figure} data={data} key={at} />}
      </div>
    </div>
  )
}

export function PapersSheet() {
  return <Part of={papers}>{(data) => <Sheet data={data} />}</Part>
}
