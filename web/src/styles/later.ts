/** Rules for parts that come later. Such a part imports this module, so that it is never seen without them. */
import candidates from './candidates.css?inline'
import figure from './figure.css?inline'
import model from './model.css?inline'
import profiles from './profiles.css?inline'
import watch from './watch.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(profiles + model + candidates + figure + watch)
import tree from './tree.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(profiles + model + candidates + figure + tree)
document.adoptedStyleSheets.push(sheet)
