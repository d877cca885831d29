/** Rules for the race of the first page, which comes before all that is later. */
import lanes from './lanes.css?inline'
import welcome from './welcome.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(lanes + welcome)
document.adoptedStyleSheets.push(sheet)
