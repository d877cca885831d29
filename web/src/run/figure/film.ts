/** A film of the open search: each of its steps is shown on the page itself, and painted from what the page then knows. */
import { thousands } from '../../base/format'
import { pausesWhile } from '../../base/slices'
import { type FigureSpec, planInSlices } from '../../export/figure/figure'
import { type FilmFormat, type FilmPlan, film } from '../../export/figure/film'
import { paintCanvas } from '../../export/figure/figure_png'
import { pictureName, saveBlob } from '../../export/files'
import { paintStory } from '../../export/figure/film_story'
import { plain } from '../../state/step/plain'
import { opened, scene, searchScene, shownSolver, steps, told, unit } from '../../state/workbench'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'

export { canFilm, type FilmFormat, filmPlan, MOST_FRAMES } from '../../export/figure/film'

/** A request for a step is dropped when another part of the page asks the worker for one: it is made again, in milliseconds. */
const AGAIN = 300

/** Goes to a step; resolves when its frame has come, rejects when it will not come any more. */
function arrive(session: Session, step: number, signal: AbortSignal): Promise<void> {
  const run = workbench.run.get()
  return new Promise((resolve, reject) => {
    const check = () => {
      if (signal.aborted) end(() => reject(signal.reason))
      else if (workbench.run.get() !== run) end(() => reject(new Error('The search was given up meanwhile.')))
      else if (workbench.frame.get()?.step === step && workbench.cursor.get() === step) end(resolve)
    }
    const leave = [workbench.frame.subscribe(check), workbench.run.subscribe(check)]
    signal.addEventListener('abort', check)
    const again = setInterval(() => session.player.seeker.idle && session.player.seek(step), AGAIN)
    const end = (done: () => void) => {
      clearInterval(again)
      for (const one of leave) one()
      signal.removeEventListener('abort', check)
      done()
    }
    session.player.seek(step)
    check()
  })
}

function titleNow(): string {
  const story = told.get()
  const place = `Step ${thousands(workbench.cursor.get())} of ${thousands(steps.get())}`
  const words = [story?.chip ?? '', story?.title ?? ''].filter((part) => part !== '').join(': ')
  return words === '' ? place : `${place}  ·  ${words}`
}

function sentenceNow(): string {
  const [story, problem] = [told.get(), opened.get()?.problem]
  return story === null || problem === undefined ? '' : plain(story.spans, unit.get(), (k) => problem.ids.at(k) ?? '')
}

export interface FilmRequest {
  plan: FilmPlan
  format: FilmFormat
  theme: 'light' | 'dark'
  /** pixels; both even */
  width: number
  height: number
}

/** Units of a film's canvas, whatever its pixels, and of the picture in it: below that stand the words and the search. */
const UNITS = { width: 960, height: 540 }
const PICTURE = { width: 960, height: 412, unit: 25.4 / 96 }

/** Makes the film and saves it. Resolves with its bytes and its codec; the step that was shown before is shown again, however it ends. */
export async function saveFilm(
  session: Session,
  request: FilmRequest,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<{ bytes: number; codec: string }> {
  const before = workbench.cursor.get()
  const { plan, format, theme } = request
  const canvas = document.createElement('canvas')
  // the encoder's size is the canvas', before anything is painted
  Object.assign(canvas, { width: request.width, height: request.height })
  const picture = document.createElement('canvas')
  const paint = async (step: number) => {
    await arrive(session, step, signal)
    const shown = scene.get()
    if (shown === null) throw new Error('There is nothing to draw any more.')
    const spec: FigureSpec = {
      scene: { ...shown, theme },
      size: PICTURE,
      view: null,
      title: titleNow(),
      step: true,
      legend: true,
      steady: true,
    }
    const pause = pausesWhile(() => !signal.aborted)
    const plan = await planInSlices(spec, pause)
    if (plan !== null) await paintCanvas(picture, plan, request.width / UNITS.width, pause)
    signal.throwIfAborted()
    const [c, search] = [canvas.getContext('2d'), searchScene.get()]
    if (c === null || search === null) throw new Error('There is nothing to draw any more.')
    c.setTransform(canvas.width / UNITS.width, 0, 0, canvas.height / UNITS.height, 0, 0)
    c.drawImage(picture, 0, 0, PICTURE.width, PICTURE.height)
    paintStory(c, UNITS, PICTURE.height, sentenceNow(), { ...search, theme })
  }
  try {
    await document.fonts.ready
    const { file, codec } = await film({ canvas, format, plan, paint, progress, signal })
    const range = `steps-${plan.steps[0]}-${plan.steps.at(-1)}`
    saveBlob(file, pictureName(workbench.opened.get(), shownSolver.get()?.id ?? '', range, format))
    return { bytes: file.size, codec }
  } finally {
    session.player.seek(before)
  }
}
