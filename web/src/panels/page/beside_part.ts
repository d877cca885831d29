/** The two faces of the page, of which a visit begins with one: fetched before anything is drawn (main.tsx). */
import { Later } from '../../base/later'

export const beside = new Later(() => import('./beside'))
/** Of a first visit. */
export const firstPage = new Later(() => import('../race/first_race'))
