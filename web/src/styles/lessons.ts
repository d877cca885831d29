/** Rules for lessons, which come with them. */
import lessons from './lesson/lessons.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(lessons)
document.adoptedStyleSheets.push(sheet)
