/** Rules for parts that come later. Such a part imports this module, so that it is never seen without them. */
import candidates from './candidates.css?inline'
import embed from './embed.css?inline'
import figure from './figure.css?inline'
import model from './model.css?inline'
import profiles from './profiles.css?inline'
import tree from './tree.css?inline'
import watch from './watch.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(candidates + embed + figure + model + profiles + tree + watch)
document.adoptedStyleSheets.push(sheet)
