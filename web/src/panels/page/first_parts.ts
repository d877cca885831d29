/** The two parts with which a visit can begin, the side panel or the race. One of them is fetched before anything is drawn (main.tsx). */
import { Later } from '../../base/later'

export const sidePanel = new Later(() => import('./side_panel'))
/** Of a first visit. */
export const firstPage = new Later(() => import('../race/first_race'))
