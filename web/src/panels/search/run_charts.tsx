/** The counters of the run over its steps. */
import { useEffect, useRef } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { Charts, chartsHeight } from '../../draw/search/charts'
import { minimising, searchScene, stats, unit, cursor } from '../../state/workbench'
import { useActions } from '../page/context'
import '../../styles/later'

export function RunCharts() {
  const { player } = useActions()
  const host = useRef<HTMLDivElement>(null)
  const least = useValue(minimising)
  useEffect(() => {
    if (host.current === null) return
    const made = new Charts(host.current, { seek: (step) => player.seek(step) })
    const update = () => {
      const scene = searchScene.get()
      if (scene === null) return
      const { overview, manifest, steps, count, theme } = scene
      const bound = least ? (stats.get()?.lowerBound ?? null) : null
      made.update({
        overview,
        manifest,
        steps,
        count,
        cursor: cursor.get(),
        theme,
        unit: unit.get(),
        lowerBound: bound,
      })
    }
    update()
    const exit = searchScene.subscribe(update)
    return () => {
      exit()
      made.dispose()
    }
  }, [least])
  return (
    <section class="tab-part charts" aria-labelledby="charts-head">
      <header class="section-head">
        <h2 id="charts-head">Over the run</h2>
        <span class="section-note">by step</span>
      </header>
      <div class="charts-host" ref={host} style={{ height: `${chartsHeight(least)}px` }} />
    </section>
  )
}
