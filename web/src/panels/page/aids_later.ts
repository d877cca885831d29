import { Later } from '../../base/later'

/** For those who do not see the page, or have no pointer; not needed to see it first. */
export const aids = new Later(() => import('./aids'))
