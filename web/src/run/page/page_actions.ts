/** The frame: theme, panels, dialogs. */
import * as a from '../../state/atoms'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import * as ui from '../../state/ui'
import { workbench } from '../../state/workbench_cells'

export class PageActions {
  toggleTheme(): void {
    ui.themeChoice.set(ui.theme.get() === 'dark' ? 'light' : 'dark')
  }

  showTab(tab: ui.Tab): void {
    ui.tab.set(tab)
    ui.setPanel('side', { shut: false })
    if (ui.width.get() === 'phone') workbench.setupOpen.set(false)
    if (ui.sheet.get() === 'peek') ui.sheet.set('half')
  }

  toggleSetup(): void {
    workbench.setupOpen.set(!workbench.setupOpen.get())
  }

  /** The drawer, or the Setup tab of a phone. */
  showSetup(): void {
    workbench.setupOpen.set(true)
    if (ui.sheet.get() === 'peek') ui.sheet.set('half')
  }

  /** What is asked or wrong stands in the setup, wherever the file came in: a lesson, a comparison and the first page have none, and are left. */
  tellInSetup(): void {
    leaveLesson.get()?.()
    workbench.mode.set('search')
    if (ui.width.get() === 'wide') ui.setPanel('left', { shut: false })
    else this.showSetup()
  }

  closeSetup(): void {
    workbench.setupOpen.set(false)
  }

  setSingleKeys(on: boolean): void {
    ui.singleKeys.set(on)
  }

  setSheet(sheet: 'peek' | 'half' | 'full'): void {
    ui.sheet.set(sheet)
  }

  /** The hint first; what the example is there to show stands below it. */
  closeHint(): void {
    if (!workbench.hintShown.get()) workbench.caption.set('')
    workbench.hintShown.set(false)
  }

  closeNotice(): void {
    a.notice.set(null)
  }

  openDialog(dialog: ui.Dialog): void {
    ui.dialog.set(dialog)
  }
}
