/**
 * The tables and figures of the four papers, in their order: what each says there, which part of which bench measures it here, and why the two differ.
 * record: the table that the part takes down; none where nothing can be measured, and why says so.
 */

export const PAPERS = [
  {
    id: 'telamalloc',
    title: 'TelaMalloc',
    cites:
      'Maas, Beaugnon, Chauhan, Ilbeyi: TelaMalloc: Efficient On-Chip Memory Allocation for Production Machine Learning Accelerators. ASPLOS 2023',
    url: 'https://doi.org/10.1145/3567955.3567961',
  },
  {
    id: 'minimalloc',
    title: 'MiniMalloc',
    cites: 'Moffitt: MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning. ASPLOS 2023',
    url: 'https://doi.org/10.1145/3623278.3624752',
  },
  {
    id: 'cosma',
    title: 'COSMA',
    cites:
      'Li, Gupta, Malik: Performance-aware combination of operator scheduling, memory allocation and tensor replacement. 2023',
    url: 'https://doi.org/10.48550/arXiv.2311.18246',
  },
  {
    id: 'taa',
    title: 'TAA',
    cites: 'Kvochko et al.: Off-Chip Memory Allocation for Neural Processing Units. IEEE Access 2024',
    url: 'https://doi.org/10.1109/ACCESS.2024.3352900',
  },
]

const theirs = (titles, rows) => ({ titles, rows })

const TELA_TABLE_1 = theirs(
  ['benchmark', 'total ms', 'ms a step'],
  [
    ['non-overlapping-1K', '12', '0.01'],
    ['non-overlapping-10K', '1,260', '0.13'],
    ['full-overlap-100', '142', '1.42'],
    ['full-overlap-1K', '100,758', '100.76'],
  ],
)
const TELA_TABLE_2 = theirs(
  ['benchmark', 'minimum required memory', 'ms'],
  [
    ['FPN Model', '1.00x', '1.3'],
    ['ConvNet2D', '1.03x', '8.0'],
    ['Inception-ResNet', '1.05x', '3.2'],
    ['Face Detection', '1.12x', '8.8'],
    ['OpenPose', '1.11x', '75.9'],
    ['StereoNet', '1.43x', '26.7'],
    ['Segmentation', '1.09x', '1.4'],
    ['ResNet-152', '1.24x', '0.6'],
    ['Saliency Model', '1.05x', '7.4'],
    ['Image Model 1', '1.08x', '34.3'],
    ['Image Model 2', '1.08x', '43.3'],
  ],
)
const MINI_TABLE_2 = theirs(
  ['', 'Mixed ILP', 'TelaMalloc', 'MiniMalloc'],
  ['4,910', '3,661', '637', '2,674', '3,717', '5,358', '1,181', '1,808', '3,908', '883', '628'].map((ms, k) => [
    `challenging-${'ABCDEFGHIJK'[k]}`,
    '> 3,600,000 ms',
    '> 3,600,000 ms',
    `${ms} ms`,
  ]),
)
const MINI_TABLE_3 = theirs(
  ['allocator', 'library size'],
  [
    ['Mixed ILP', '2,021 kB'],
    ['TelaMalloc', '206 kB'],
    ['MiniMalloc', '25 kB'],
  ],
)
const COSMA_TABLE_2 = theirs(
  ['seconds', ...['FS default', 'FS MPMF', 'DnC'].flatMap((way) => ['M_R', 'M_H', 'M_P'].map((m) => `${way} ${m}`))],
  [
    ['PNASNet-5', '12.2', '12.3', '12.2', '24.2', '22.4', '23.5', '65.9', '63.5', '58.0'],
    ['AmoebaNet-D', '8.1', '8.3', '8.1', '84.4', '8.2', '8.5', '62.1', '59.9', '112.8'],
    ['NASNet-A', '19.8', '20.0', '19.7', '22.4', '22.4', '21.6', '37.5', '22.9', '39.2'],
    ['DARTS', '5.0', '5.0', '5.0', '5.2', '5.2', '5.2', '19.1', '19.1', '19.1'],
  ],
)
const TAA_TABLE_1 = theirs(
  ['model', 'TAA, bytes', 'shared objects', 'change'],
  [
    ['Inception v3', '901,600', '901,600', '0.00 %'],
    ['Inception v4', '1,894,560', '2,235,616', '-15.26 %'],
    ['MobileNet v1', '278,272', '301,056', '-7.57 %'],
    ['MobileNet v2', '100,352', '100,352', '0.00 %'],
    ['ResNetV2 101', '2,791,232', '3,240,000', '-13.85 %'],
    ['SqueezeNet', '410,528', '484,182', '-15.2 %'],
    ['MNASNet 1.3', '200,704', '200,704', '0.00 %'],
    ['FSRCNN', '16,777,216', '25,165,824', '-33.33 %'],
  ],
)
const TAA_TABLE_2 = theirs(
  ['model', 'TAA, ms', 'shared objects, ms'],
  [
    ['Inception v3', '79.9', '50.6'],
    ['Inception v4', '632.7', '267.6'],
    ['MobileNet v1', '25.0', '23.7'],
    ['MobileNet v2', '12.9', '12.5'],
    ['ResNetV2 101', '914.6', '320.1'],
    ['SqueezeNet', '32.0', '6.3'],
    ['MNASNet 1.3', '51.0', '48.2'],
    ['FSRCNN', '399.2', '173.4'],
  ],
)

const ELEVEN =
  'Their traces of Pixel 6 are not public. Here it is the zoo’s networks, which are rebuilt from public definitions.'

export const FIGURES = [
  {
    paper: 'telamalloc',
    where: 'Table 1',
    title: 'Microbenchmarks without a backtrack',
    bench: ['telamalloc', 'table1'],
    record: 'telamalloc-table1',
    theirs: TELA_TABLE_1,
    said: 'On a Xeon E5-1650 at 3.6 GHz.',
    why: 'The paper’s steps propagate in CP-SAT; ours in an engine of bounds alone, which is enough for this encoding as offsets are all that is branched on.',
  },
  {
    paper: 'telamalloc',
    where: 'Table 2',
    title: 'How much memory the contention heuristic needs',
    bench: ['telamalloc', 'table2'],
    record: 'telamalloc-table2',
    theirs: TELA_TABLE_2,
    why: `${ELEVEN} On most of them the heuristic needs no more than the least; cells and pyramids are where it does.`,
  },
  {
    paper: 'telamalloc',
    where: 'Figures 12, 13',
    title: 'Seconds of ILP, CP-SAT and TelaMalloc at 110 % of the least memory',
    bench: ['baselines', 'networks'],
    record: 'baselines-networks',
    said: 'TelaMalloc is before the ILP by 4.7 times in the median of eleven models, and by one or two orders of magnitude on some. Between ILP and CP-SAT there is no conclusive evidence in either direction. One ILP ran for more than nine hours.',
    why: `${ELEVEN} With a tenth to spare they are easy for every search here, which takes a millisecond; the ILP does not come to its end within the limit on some. The ratio is greater than the paper’s because ours is faster, not because the ILP were slower than theirs: it is HiGHS as WebAssembly, of which compiling alone is a tenth of a second, CP-SAT likewise.`,
  },
  {
    paper: 'telamalloc',
    where: 'Figure 14',
    title: 'Which block next: configurations that fail',
    bench: ['figure14'],
    record: 'figure14',
    said: 'Of 1,192 configurations TelaMalloc fails on 27 to 37 times fewer than the four simple strategies, with 1.36 to 1.80 times fewer steps on those that both solve.',
    why: 'The ratio is 22 to 26 here, on networks of six families, random ones and the zoo; by lot it would be 50 to 60, as fewer fail. The steps are not as in the paper: a simple strategy here either walks through in one step a buffer or never ends, so where both solve, both take as many.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 14, inputs without slack',
    title: 'The same where every moment is full',
    bench: ['figure14'],
    record: 'figure14-full',
    said: 'There are none in the paper.',
    why: 'Rectangles cut into pieces are MiniMalloc’s stress test (its section 8.3), on which its figure 10 has TelaMalloc fail as well: a table of their own.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 15',
    title: 'Backtracks with a learned choice of where to go back',
    bench: ['learned', 'backtracks'],
    record: 'learned-backtracks',
    said: 'Fewer backtracks on most parts of SRGAN. Of 117 configurations with more than 1,000 backtracks 102 are improved: 56 newly solved, 34 with a tenth of the backtracks or less. Of 1,192, four are newly lost.',
    why: 'SRGAN, as the zoo has it, needs no backtrack at all, so that other networks stand here. By lot and learned both solve some that the rules fail on, and fail on some that those solve; where the rules get through, neither needs fewer. The model is a study and no advice (core/src/solve/telamalloc/LEARNED.md).',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 16',
    title: 'Time of the model by the number of candidates',
    bench: ['learned', 'time'],
    record: 'learned-time',
    said: 'About 2 us a candidate, linear.',
    why: 'Linear here, too. 40 trees in integer tables where the paper has 100 in a library.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 17',
    title: 'What the features of the model are worth',
    bench: ['learned', 'importance'],
    record: 'learned-importance',
    said: 'Lifetime, contention, decision level and number of backtracks count most, the region least.',
    why: 'Ours are shares, not bytes and times, by which a model knows its training problems again. How far the way back is, how often it came there and where the level lies count most here as well; the phase, which is the region, little; but contention nothing. The rows here are of a quarter of the networks that the model was trained on.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 18',
    title: 'Speed-up of programs by the repacker: activations',
    bench: ['repack', 'activations'],
    record: 'repack-activations',
    said: 'Up to 7 % faster than with best fit as the repacker, on a TPUv4; muted where a model is not bound by memory.',
    why: 'Here time is memory alone, at 10 : 1, and nothing is prefetched. TelaMalloc is up to 16 % ahead on 26 of 72 and 1.1 % in the mean; on half nothing changes, as load and not fragmentation keeps buffers out. On ten it loses: a repack that lets one large buffer in can keep small ones out.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 18, with weights',
    title: 'Speed-up of programs by the repacker: weights loaded ahead',
    bench: ['repack', 'weights'],
    record: 'repack-weights',
    said: 'The paper does not say whether weights are among the buffers.',
    why: 'As above. A repack that lets one large buffer in can keep small ones out, so that the better repacker may lose.',
  },
  {
    paper: 'minimalloc',
    where: 'Table 2',
    title: 'The challenging suite, A to K',
    bench: ['exact', 'satisfy'],
    record: 'exact-satisfy',
    theirs: MINI_TABLE_2,
    said: 'On a 2.3 GHz EPYC. Neither the ILP nor TelaMalloc solves one of them in an hour.',
    why: 'MiniMalloc here takes the same decisions as the published program, node by node. “exact” is our own solver. What the others make of them stands below.',
  },
  {
    paper: 'minimalloc',
    where: 'Table 2, other solvers',
    title: 'The challenging suite by the solvers that it is hard for',
    bench: ['baselines', 'challenging'],
    record: 'baselines-challenging',
    said: 'ILP and TelaMalloc: more than 3,600,000 ms on each of the eleven.',
    why: 'A second is no hour. But what TelaMalloc lacks here is not time: it solves them from 11.5 to 30.5 % above the load on (bench telamalloc --part=challenging).',
  },
  {
    paper: 'minimalloc',
    where: 'Table 3',
    title: 'Size of the library',
    bench: ['exact', 'size'],
    record: 'exact-size',
    theirs: MINI_TABLE_3,
    why: 'Objects of one solver, stripped, without the model and the engine that all share. TelaMalloc’s 206 kB have a part of CP-SAT in them, ours have none.',
  },
  {
    paper: 'minimalloc',
    where: 'Figure 8',
    title: 'Five solvers on the original suite',
    bench: ['baselines', 'networks'],
    record: 'baselines-networks',
    same: 'TelaMalloc’s figures 12 and 13',
    said: 'CSP solves none of the eleven in a minute, meta-CSP eight; the ILP all; TelaMalloc is 9 times as fast as the ILP, MiniMalloc 328 times.',
    why: `${ELEVEN} With a tenth to spare an absolute placement in units of one byte, which solves none there, gets through on most here: the lowest address that is free is nearly always right. Where it once is not, it ends for good.`,
  },
  {
    paper: 'minimalloc',
    where: 'Figure 9',
    title: 'Share of problems solved within a time',
    bench: ['baselines', 'networks'],
    record: 'baselines-curve',
    said: 'Of more than a thousand models within 1 ms: ILP 16 %, TelaMalloc 32 %, MiniMalloc 85 %, which TelaMalloc reaches at 100 ms. MiniMalloc is the fastest of all on 99 %.',
    why: `${ELEVEN} The curves are of the runs of figures 12 and 13. With a tenth to spare nobody has to search: the time is mostly that of making a run, and TelaMalloc is ahead of MiniMalloc.`,
  },
  {
    paper: 'minimalloc',
    where: 'Figure 10',
    title: 'The synthetic suite: 20 to 60 buffers, 25 problems of each size',
    bench: ['baselines', 'synthetic'],
    record: 'baselines-synthetic',
    said: 'MiniMalloc solves all 525, most within a millisecond; ILP and TelaMalloc solve fewer the more buffers there are.',
    why: 'Their generator is not published: ours cuts a rectangle into pieces as section 8.3 describes. The limit is a tenth of a second, not their minute: within it MiniMalloc leaves a few of the largest open, exact none, and HiGHS has hardly begun.',
  },
  {
    paper: 'cosma',
    where: 'Figure 3',
    title: 'Bytes moved on networks by people, activations alone',
    bench: ['cosma', 'figure3'],
    record: 'cosma-figure3',
    said: '84 % fewer bytes than the four schemes on average; none at the least peak.',
    why: 'The bars’ figures are not printed. The graphs are rebuilt, so bytes differ where theirs were traced from other versions of a network.',
  },
  {
    paper: 'cosma',
    where: 'Figure 3, with parameters',
    title: 'The same with parameters',
    bench: ['cosma', 'figure3p'],
    record: 'cosma-figure3p',
    said: 'As above; DeepLabV3 takes 7 and 17 seconds, all others less than one.',
    why: 'Each weight is in the arena while its operator runs. Every optimum is proven.',
  },
  {
    paper: 'cosma',
    where: 'Figure 4',
    title: 'Bytes moved on searched networks',
    bench: ['cosma', 'figure4'],
    record: 'cosma-figure4',
    said: '85 % fewer bytes than the four schemes on average, by hand-picked break nodes, and not proven least.',
    why: 'Here it is the optimum over all orders, proven, without break nodes.',
  },
  {
    paper: 'cosma',
    where: 'Table II',
    title: 'Seconds on searched networks',
    bench: ['cosma', 'table2'],
    record: 'cosma-table2',
    theirs: COSMA_TABLE_2,
    why: 'Theirs is Gurobi on an integer program; ours a search of its own (core/src/solve/cosma/README.md), which proves the optimum over all orders where theirs had a heuristic.',
  },
  {
    paper: 'taa',
    where: 'Table 1',
    title: 'Bytes of intermediate tensors',
    bench: ['taa', 'table1'],
    record: 'taa-table1',
    theirs: TAA_TABLE_1,
    why: 'FSRCNN agrees to the byte. The paper’s compiler fuses more: the stems of MobileNet, MNASNet and Inception, which are their peaks here, never leave the chip there. Network by network: wasm/README.md.',
  },
  {
    paper: 'taa',
    where: 'Table 2',
    title: 'Milliseconds of the allocator',
    bench: ['taa', 'table2'],
    record: 'taa-table2',
    theirs: TAA_TABLE_2,
    why: 'Of other machines. taa-exact proves its plan the lowest in less time than the paper’s heuristic takes.',
  },
]
