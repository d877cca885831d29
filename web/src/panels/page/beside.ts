/** What stands beside the canvas: its own part of the page, since the first view has the canvas alone. */
export { StepTab } from '../step/step'
export { Setup } from './setup'
