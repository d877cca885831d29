/** Rules for parts that come later. Such a part imports this module, so that it is never seen without them. */
import beam from './beam.css?inline'
import buffers from './buffers.css?inline'
import candidates from './candidates.css?inline'
import canvas from './canvas.css?inline'
import compare from './compare.css?inline'
import edit from './edit.css?inline'
import embed from './embed.css?inline'
import figure from './figure.css?inline'
import lanes from './lanes.css?inline'
import model from './model.css?inline'
import papers from './papers.css?inline'
import palette from './command_palette.css?inline'
import present from './present.css?inline'
import profiles from './profiles.css?inline'
import separator from './separator.css?inline'
import tiles from './tiles.css?inline'
import tree from './tree.css?inline'
import watch from './marks.css?inline'

const sheet = new CSSStyleSheet()
const all = [
  beam,
  buffers,
  candidates,
  canvas,
  lanes,
  compare,
  edit,
  embed,
  figure,
  model,
  palette,
  papers,
  present,
  profiles,
  separator,
  tiles,
  tree,
  watch,
]
sheet.replaceSync(all.join(''))
document.adoptedStyleSheets.push(sheet)
