/** What the Step tab says where there is no step to tell of, or the search has ended without a plan; and the ways on. */
import { describe, it } from 'vitest'
import { Sentence } from '../../web/src/panels/step'
import { screen, stand } from './stand'

const on = stand()

describe('the sentence of a step', () => {
  it('says what to do before there is a search, and that one is under way', async () => {
    on.show(<Sentence />)
    screen.getByText('Run the solver: each of its steps is told here.')
    on.client.hold = true
    void on.actions.run()
    await on.settle()
    screen.getByText('The search is under way.')
  })
})
