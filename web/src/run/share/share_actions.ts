/** Links and files, out and in. */
import { Later } from '../../base/later'
import * as a from '../../state/atoms'
import { looksLikeLink } from '../../state/share/recognize'
import type { DecodeResult } from '../../state/share/codec'
import { workbench } from '../../state/workbench_cells'
import type { ActionContext } from '../action_context'
import type { SharedOut } from './link'
import type { PlanForm } from './plans'

const plans = new Later(() => import('./plans'))
const links = new Later(() => import('./link'))
type Links = typeof import('./link')
const exports = new Later(() => import('./exports'))
type Exports = typeof import('./exports')

export class ShareActions {
  constructor(private readonly on: ActionContext) {}

  /**
   * What Share hands out: a link, or a file where the link would be too long. What is shared is found out once; what is returned packs it with
   * what is said of it. null: there is nothing to share.
   */
  async gather(): Promise<((message: string) => Promise<SharedOut>) | null> {
    const part = await links.get()
    const long = part.longText()
    const shared = await part.gather(this.on.session)
    return shared && ((message) => part.pack({ ...shared, message }, long))
  }

  /** False if it is no link or one that does not open. One whose reader could not be fetched stays in the address, for another try. */
  async openFragment(fragment: string): Promise<boolean> {
    if (!looksLikeLink(fragment)) return false
    const opened = await this.openShared((part) => part.readLink(fragment))
    return opened === null || (opened && workbench.opened.get() !== null)
  }

  /** False if what was read is no search, null if what reads it is not to be had or dies over it; the page then says so. */
  async openShared(
    read: (part: Links) => DecodeResult | Promise<DecodeResult>,
    before: () => void = () => {},
  ): Promise<boolean | null> {
    const part = await this.on.attempt(() => links.get())
    if (part === null) return null
    const decoded = await this.on.attempt(async () => read(part))
    if (decoded === null) return null
    if (decoded.ok) {
      before()
      await this.on.attempt(() => part.reopen(this.on.session, decoded.shared, decoded.long))
    } else {
      a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: decoded.message })
    }
    return decoded.ok
  }

  async exportCsv(): Promise<void> {
    await this.on.making(async () => (await plans.get()).saveProblem(this.on.session.client))
  }

  /** The plan in one of the forms that compilers and runtimes take; a notice says what was written, or why not. */
  async exportPlan(form: PlanForm): Promise<void> {
    await this.on.making(async () => (await plans.get()).savePlan(form, this.on.session.client))
  }

  /** One of the exports of a part that comes later; a notice says why it did not work. */
  async export(what: (part: Exports) => void | Promise<void>): Promise<void> {
    await this.on.making(async () => what(await exports.get()))
  }
}
