/** Our own networks, fetched when somebody looks at them. */
import { Later } from '../../base/later'

export const zoo = new Later(() => import('./zoo_networks'))
