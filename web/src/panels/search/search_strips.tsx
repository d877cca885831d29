import { useEffect, useRef } from 'preact/hooks'
import { derived } from '../../base/cell'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { Seismograph } from '../../draw/search/seismograph'
import type { LocalStripApi } from '../../layout/scene'
import { reading } from '../../state/atoms'
import { layered, overview, searchScene, shownSolver, opened, run, watchOpen } from '../../state/workbench'
import type { RunState } from '../../state/workbench_values'
import { useActions } from '../page/context'
import { Part } from '../controls/later_part'
import { marking, watch } from '../marks/marks_button'

/** The canvas has its place from the start; what is drawn there comes later. */
const strips = new Later(() => import('../../draw/search/local_strip'), 'unasked')
/** A search in layers has its own words, and no strip of single steps. */
const beams = new Later(() => import('./beam'))
const someMajor = derived(() => overview.get()?.major.some((count) => count > 0) ?? false)
/** One step is seen whole on the canvas, and is no search. */
const searched = derived(() => {
  const scene = searchScene.get()
  return scene !== null && (scene.running || scene.steps > 1)
})

function mountSearch(whole: HTMLElement, local: HTMLElement, actions: ReturnType<typeof useActions>): () => void {
  const on = { scrub: (step: number) => actions.player.seek(step), preview: () => {} }
  const range = (from: number, to: number) =>
    void marking.get().then(
      (part) => part.setRange(from, to),
      () => {},
    )
  const seismograph = new Seismograph(whole, { ...on, range })
  let strip: LocalStripApi | null = null
  actions.seismograph = seismograph
  const update = () => {
    const part = strips.arrival.get()
    if (strip === null && part.kind === 'there') strip = new part.part.LocalStrip(local, on)
    const now = searchScene.get()
    if (now === null) return
    seismograph.update(now)
    strip?.update(now)
  }
  update()
  const leave = [searchScene.subscribe(update), strips.arrival.subscribe(update)]
  return () => {
    for (const stop of leave) stop()
    actions.seismograph = null
    seismograph.dispose()
    strip?.dispose()
  }
}

/** What has become of a run that failed, with a space after it; '': none did. */
function lostBy(state: RunState): string {
  if (state.kind !== 'failed') return ''
  return state.reason === 'argument' ? 'The solver refused. ' : 'The worker stopped, and its search is lost. '
}

/** Where there is a problem, the way to its search is here too: on a small page the setup is out of sight. */
function None() {
  const actions = useActions()
  const problem = useValue(opened)
  const lost = lostBy(useValue(run))
  const words = 'Run the solver'
  if (useValue(searchScene) !== null)
    return <p class="search-none">One step said it all: there was nothing to search.</p>
  return (
    <p class="search-none">
      {lost}
      {problem === null ? (
        words
      ) : (
        <button type="button" class="text-button" onClick={() => void actions.solver.run()}>
          {words}
        </button>
      )}{' '}
      to see its search here.
    </p>
  )
}

export function Search() {
  const actions = useActions()
  const whole = useRef<HTMLDivElement>(null)
  const local = useRef<HTMLDivElement>(null)
  const some = useValue(searched)
  const busy = useValue(reading)
  const idle = useValue(opened) === null && !busy
  const watching = useValue(watchOpen)
  const stuck = useValue(shownSolver)?.options.some((option) => option.name === 'stuck_limit') ?? false
  const inLayers = useValue(layered)
  const majors = useValue(someMajor)
  useEffect(() => {
    if (!some || whole.current === null || local.current === null) return
    return mountSearch(whole.current, local.current, actions)
  }, [some])
  return (
    <section class={`search${some ? '' : ' search-empty'}${idle ? ' search-idle' : ''}`} aria-labelledby="search-head">
      {watching && <Part of={watch}>{({ Watch }) => <Watch />}</Part>}
      <header class="search-head">
        <h2 id="search-head">Search</h2>
        <span class="spring" />
        {some && inLayers && (
          <Part of={beams} quiet>
            {({ BeamLegend }) => <BeamLegend />}
          </Part>
        )}
        {some && !inLayers && (
          <ul class="legend" aria-label="Legend">
            <li class="legend-placed">placed</li>
            <li class="legend-minor">minor backtrack</li>
            {majors && (
              <li class="legend-major" title="Of eight levels or more, or what the solver itself calls major">
                major backtrack
              </li>
            )}
            {stuck && <li class="legend-stuck">stuck</li>}
          </ul>
        )}
      </header>
      {some ? (
        <>
          <div class="seismograph" ref={whole} />
          <div class={`local${inLayers ? ' local-none' : ''}`} ref={local} />
          {inLayers && (
            <Part of={beams} quiet>
              {({ BeamReadout }) => <BeamReadout />}
            </Part>
          )}
        </>
      ) : (
        <None />
      )}
    </section>
  )
}
