/** The place of what was said along a search: its part comes when there is something. */
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { shownTour } from '../../state/marks/tour'
import { Part } from '../controls/later_part'

const part = new Later(() => import('./tour'))

export function TourPlace() {
  if (useValue(shownTour) === null) return null
  return (
    <Part of={part} quiet>
      {({ Tour }) => <Tour />}
    </Part>
  )
}
