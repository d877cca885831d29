/** The counters of the run over its steps. */
import { useEffect, useRef } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { Charts, chartsHeight } from '../../draw/search/charts'
import { minimising, opened, searchScene, stats, unit, cursor } from '../../state/workbench'
import { baseName } from '../../export/files'
import { TakeChart } from '../controls/take_chart'
import { useActions } from '../page/context'
import '../../styles/later'

export function RunCharts() {
  const { player } = useActions()
  const host = useRef<HTMLDivElement>(null)
  const charts = useRef<Charts | null>(null)
  const least = useValue(minimising)
  useEffect(() => {
    if (host.current === null) return
    const made = new Charts(host.current, { seek: (step) => player.seek(step) })
    charts.current = made
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
      charts.current = null
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
      <div class="row">
        <span class="spring" />
        <TakeChart
          chart={() => charts.current && { title: 'Counters over the run', ...charts.current.record() }}
          file={`${baseName(opened.get())}.stats`}
          csv={() => charts.current?.table() ?? ''}
        />
      </div>
    </section>
  )
}
