/** The dialogs of the page. Their frame is there from the start, their contents come when they are first wanted. */
import { Later } from '../../base/later'
import type { Dialog as Name } from '../../state/ui'
import { Dialog } from '../controls/dialog'
import { Part } from '../controls/later_part'

const palette = new Later(() => import('../palette/command_palette'))
const help = new Later(() => import('./help'))
const share = new Later(() => import('../share/share'))
const zoo = new Later(() => import('../model/zoo'))
const lowerings = new Later(() => import('../model/compare_lowerings'))
const figure = new Later(() => import('../figure/figure'))
const film = new Later(() => import('../figure/film'))
const lane = new Later(() => import('../race/race_column_form'))
const random = new Later(() => import('../problem/random'))
const formats = new Later(() => import('../problem/formats'))
const lessons = new Later(() => import('../lesson/contents'))
const papers = new Later(() => import('../papers/papers'))
const profiles = new Later(() => import('../profile/profiles'))

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
    case 'chips':
      return (
        <Dialog title="Which chips does it fit?" key={name} wide>
          <Part of={profiles}>{({ ChipTable }) => <ChipTable />}</Part>
        </Dialog>
      )
    case 'zoo':
      return (
        <Dialog title="Models" key={name} wide>
          <Part of={zoo}>{({ Zoo }) => <Zoo />}</Part>
        </Dialog>
      )
    case 'lowerings':
      return (
        <Dialog title="Two ways to lower it" key={name} wide>
          <Part of={lowerings}>{({ CompareLowerings }) => <CompareLowerings />}</Part>
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
    case 'race-column':
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
    case 'papers':
      return (
        <Dialog title="Papers" key={name} wide>
          <Part of={papers}>{({ PapersSheet }) => <PapersSheet />}</Part>
        </Dialog>
      )
    case 'formats':
      return (
        <Dialog title="What can be opened" key={name} wide>
          <Part of={formats}>{({ Formats }) => <Formats />}</Part>
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
