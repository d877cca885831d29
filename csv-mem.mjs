import { bundle } from './wasm/bench/bundle.mjs'
import { readFileSync } from 'node:fs'
await bundle('/tmp/h/csv/wasm/client/core.ts','/tmp/h/csv-x/core.mjs'); await bundle('/tmp/h/csv/wasm/client/module.ts','/tmp/h/csv-x/module.mjs')
const { Core } = await import('/tmp/h/csv-x/core.mjs'); const { loadExports } = await import('/tmp/h/csv-x/module.mjs')
const wasm = readFileSync('build/wasm/core.wasm')
for (const kind of process.argv.slice(2)) for (const solver of ['first-fit','large','greedy','exact']) {
  let phase='generate', line=''
  try {
    const g = new Core(await loadExports(wasm)); const {csv,capacity}=g.generate(kind, 2**20, 1)
    const bytes=new TextEncoder().encode(csv)
    const core = new Core(await loadExports(wasm)); phase='open'
    const t0=process.cpuUsage(); const r=core.open(bytes); const ms=Math.round((process.cpuUsage(t0).user)/1000)
    const h0=(core.memory().heap/2**20).toFixed(0)
    const name=core.manifest.solvers.some(s=>s.id===solver)?solver:core.manifest.solvers.map(s=>s.id).find(s=>s.startsWith(solver))
    if(!name){console.log('no',solver,core.manifest.solvers.map(s=>s.id).join());continue}
    phase='run'; const t=Date.now(); core.start({solver:name,capacity,seed:0,budget:0,options:{}}); let o='running',n=1000
    while((o=core.step(n))==='running'&&Date.now()-t<5000);
    line=`open ${ms} ms heap ${h0} MiB; ${o} after ${((Date.now()-t)/1000).toFixed(1)} s, ${core.stats().steps} steps, heap ${(core.memory().heap/2**20).toFixed(0)} MiB`
  } catch(e){ line=`${phase}: ${e.constructor.name} ${e.reason??''} ${e.message}` }
  console.log(kind, solver, line)
}
