/** The page inside of another: the canvas, what the step says, the transport, and the way to the whole page. */
import { useEffect } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { listen } from '../../run/share/messages'
import { reading } from '../../state/atoms'
import { withUrlFlags } from '../../state/share/url_flags'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { NoticeBar } from '../page/notice'
import { Running } from '../solver/running'
import { Instruments } from '../canvas/stage'
import { Sentence } from '../step/step'
import { Search } from '../search/search_strips'
import { Transport } from '../search/transport'
import { TourPlace } from '../marks/tour_place'
import { looksLikeLink, namesLesson } from '../../state/share/recognize'
import { cursor, opened, run } from '../../state/workbench'
import { nameOf } from '../../state/workbench_values'
import '../../styles/later'

function Whole() {
  const step = useValue(cursor)
  const ended = useValue(run).kind === 'ended'
  // what came by message has no address
  if (!looksLikeLink(location.hash.slice(1))) return null
  // nothing that is done here changes the address
  const link = withUrlFlags(location.hash.slice(1), { embed: false, theme: null, step: ended ? step : null })
  return (
    <a class="embed-whole" href={`${location.pathname}${location.search}#${link}`} target="_blank" rel="noopener">
      Open in Arenascope
      <I name="link" />
    </a>
  )
}

/** The wheel scrolls the page around, unless Ctrl says that the canvas is meant. */
function onWheel(event: WheelEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
}

export function Embed() {
  const actions = useActions()
  const source = useValue(opened)?.source
  const name = source?.kind === 'example' ? source.title : nameOf(source)
  const busy = useValue(reading)
  useEffect(() => (window.parent === window ? undefined : listen(actions)), [actions])
  return (
    <div class="app app-embed" onWheelCapture={onWheel}>
      <NoticeBar />
      <main class="centre">
        <h1 class="embed-name">Arenascope: {name}</h1>
        {source !== undefined ? (
          <>
            <section class="stage" aria-label="Memory over time">
              <Instruments />
              <button
                type="button"
                class="icon-button embed-fit"
                aria-label="Show everything"
                title="Show everything (0)"
                onClick={() => actions.view?.fit()}
              >
                <I name="fit" />
              </button>
            </section>
            <section class="embed-told" aria-label="The step in words">
              <Sentence />
              <TourPlace />
            </section>
            <section class="embed-search" aria-label="The search over its steps">
              <Search />
            </section>
          </>
        ) : (
          <p class="embed-none hint" role="status">
            {busy
              ? 'Opening…'
              : namesLesson(location.hash.slice(1))
                ? 'A lesson takes a whole page, and is not shown inside of another. Open it in Arenascope.'
                : 'There is nothing to show here.'}
          </p>
        )}
        {source !== undefined && <Transport />}
        <Whole />
        <Running />
      </main>
    </div>
  )
}
