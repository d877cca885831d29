/** Rules for the race of the first page, which comes before all that is later. */
import lanes from './compare/lanes.css?inline'
import welcome from './page/welcome.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(lanes + welcome)
document.adoptedStyleSheets.push(sheet)
