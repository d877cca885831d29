/** Rules for parts that come later. Such a part imports this module, so that it is never seen without them. */
import beam from './search/beam.css?inline'
import buffers from './problem/buffers.css?inline'
import candidates from './search/candidates.css?inline'
import canvas from './problem/canvas.css?inline'
import compare from './compare/compare.css?inline'
import edit from './problem/edit.css?inline'
import embed from './page/embed.css?inline'
import figure from './problem/figure.css?inline'
import lanes from './compare/lanes.css?inline'
import graph from './model/graph.css?inline'
import low from './page/low.css?inline'
import model from './model/model.css?inline'
import networks from './model/networks.css?inline'
import papers from './compare/papers.css?inline'
import palette from './page/command_palette.css?inline'
import present from './page/present.css?inline'
import profiles from './problem/profiles.css?inline'
import separator from './page/separator.css?inline'
import tiles from './model/tiles.css?inline'
import traffic from './model/traffic.css?inline'
import tree from './search/tree.css?inline'
import watch from './search/marks.css?inline'

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
  low,
  model,
  graph,
  networks,
  traffic,
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
