/** Undo, in the header and in a phone's menu. What is edited comes later than the page: one part for both, so that it is fetched with the first of them. */
import { Later } from '../../base/later'

export const undo = new Later(() => import('../edit/undo'), 'unasked')
