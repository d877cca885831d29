/** What can be opened, and where such files come from. */
import { type Format, LISTS, LOGS, MODELS } from './format_list'
import { OpenFile } from './open_file'
import '../../styles/problem/formats.css'

function Table({ title, formats }: { title: string; formats: readonly Format[] }) {
  return (
    <section class="formats" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {formats.map((format) => (
          <div key={format.title} class="format">
            <dt>
              {format.title} <span class="hint">{format.files}</span>
            </dt>
            <dd>
              {format.is}
              {format.how !== '' && <code>{format.how}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Formats() {
  return (
    <>
      <p class="hint">A file is known by what is in it, not by its name, and stays on this machine.</p>
      <Table title="Models" formats={MODELS} />
      <Table title="What a tool planned" formats={LOGS} />
      <Table title="Lists" formats={LISTS} />
      <div class="row">
        <span class="spring" />
        <OpenFile label="Open a file…" class="button primary" />
      </div>
    </>
  )
}
