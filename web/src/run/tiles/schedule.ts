/** Plays the tasks of a schedule, one after the other. */
import { rolling, task } from '../../state/tiles/tiles'
import { workbench } from '../../state/workbench_cells'

/** All tasks in about so many milliseconds, each as long as it can be seen. */
const WHOLE = 12_000
const LEAST = 40
const MOST = 500

let timer: ReturnType<typeof setInterval> | undefined

const count = () => workbench.opened.get()?.problem.tasks?.ids.length ?? 0

export function showTask(next: number): void {
  task.set(Math.max(0, Math.min(count() - 1, next)))
}

export function stopTasks(): void {
  clearInterval(timer)
  rolling.set(false)
}

/** From the beginning if the last one is shown. */
export function playTasks(): void {
  if (rolling.get()) {
    stopTasks()
    return
  }
  if (task.get() >= count() - 1) showTask(0)
  rolling.set(true)
  timer = setInterval(
    () => {
      showTask(task.get() + 1)
      if (task.get() >= count() - 1) stopTasks()
    },
    Math.max(LEAST, Math.min(MOST, WHOLE / Math.max(1, count()))),
  )
}

/** Whoever shows the tasks begins with the first, and leaves none behind. */
export function leaveTasks(): void {
  stopTasks()
  task.set(-1)
}
