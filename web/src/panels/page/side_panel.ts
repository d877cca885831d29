/** The panels beside the canvas. They are fetched as a part of their own, since the first view shows the canvas alone. */
export { Steps } from './hint_steps'
export { StepTab } from '../step/step'
export { Setup } from './setup'
