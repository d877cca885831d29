/** Rules for lessons, which come with them. */
import figures from './lesson/figures.css?inline'
import lessons from './lesson/lessons.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(figures + lessons)
document.adoptedStyleSheets.push(sheet)
