/** The dialogs of the page. Their frame is there from the start, their contents come when they are first wanted. */
import { Later } from '../base/later'
import type { Dialog as Name } from '../state/ui'
import { Dialog } from './dialog'
import { Part } from './part'

const palette = new Later(() => import('./palette'))
const help = new Later(() => import('./help'))
const share = new Later(() => import('./share'))
const zoo = new Later(() => import('./zoo'))
const versus = new Later(() => import('./versus'))
const figure = new Later(() => import('./figure'))
const film = new Later(() => import('./film'))
const lane = new Later(() => import('./lane_form'))
const random = new Later(() => import('./random'))
const lessons = new Later(() => import('./lesson/contents'))
const profiles = new Later(() => import('./profiles'))

export function Sheet({ name }: { name: Exclude<Name, 'none'> }) {
  switch (name) {
    case 'help':
      return (
        <Dialog title="Help" key={name}>
          <Part of={help}>{({ Help }) => <Help />}</Part>
        </Dialog>
      )
    case 'palette':
      return (
        <Dialog title="Commands" key={name} bare>
          <Part of={palette}>{({ Palette }) => <Palette />}</Part>
        </Dialog>
      )
    case 'share':
      return (
        <Dialog title="Share" key={name}>
          <Part of={share}>{({ Share }) => <Share />}</Part>
        </Dialog>
      )
    case 'profiles':
      return (
        <Dialog title="Accelerator profiles" key={name}>
          <Part of={profiles}>{({ Profiles }) => <Profiles />}</Part>
        </Dialog>
      )
    case 'zoo':
      return (
        <Dialog title="Models" key={name} wide>
          <Part of={zoo}>{({ Zoo }) => <Zoo />}</Part>
        </Dialog>
      )
    case 'versus':
      return (
        <Dialog title="Two ways to lower it" key={name} wide>
          <Part of={versus}>{({ Versus }) => <Versus />}</Part>
        </Dialog>
      )
    case 'figure':
      return (
        <Dialog title="Export figure" key={name} wide>
          <Part of={figure}>{({ FigureSheet }) => <FigureSheet />}</Part>
        </Dialog>
      )
    case 'film':
      return (
        <Dialog title="Export film" key={name}>
          <Part of={film}>{({ FilmSheet }) => <FilmSheet />}</Part>
        </Dialog>
      )
    case 'lane':
      return (
        <Dialog title="Settings of this run" key={name}>
          <Part of={lane}>{({ LaneForm }) => <LaneForm />}</Part>
        </Dialog>
      )
    case 'lessons':
      return (
        <Dialog title="Lessons" key={name} wide>
          <Part of={lessons}>{({ Contents }) => <Contents />}</Part>
        </Dialog>
      )
    case 'random':
      return (
        <Dialog title="Random problem" key={name}>
          <Part of={random}>{({ Random }) => <Random />}</Part>
        </Dialog>
      )
  }
}
