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
    why: 'As many steps, one for each buffer, without a backtrack: what differs is what one costs. The paper’s is a call of CP-SAT, ours of an engine of bounds alone (core/src/solve/telamalloc/README.md, section 1), which looks at no pair where a sum says that there is room; and the machines differ.',
  },
  {
    paper: 'telamalloc',
    where: 'Table 2',
    title: 'How much memory the contention heuristic needs',
    bench: ['telamalloc', 'table2'],
    record: 'telamalloc-table2',
    theirs: TELA_TABLE_2,
    why: `${ELEVEN} On most of them the heuristic needs no more than the least. More it needs on some of the searched networks, where weights are loaded ahead, and on two small ones for phones, BlazeFace and MNASNet.`,
  },
  {
    paper: 'telamalloc',
    where: 'Figures 12, 13',
    title: 'Time of ILP, CP-SAT and TelaMalloc at 110 % of the least memory',
    bench: ['baselines', 'networks'],
    record: 'baselines-networks',
    said: 'TelaMalloc is before the ILP by 4.7 times in the median of eleven models, and by one or two orders of magnitude on some. Between ILP and CP-SAT there is no conclusive evidence in either direction. One ILP ran for more than nine hours.',
    why: `${ELEVEN} With a tenth to spare TelaMalloc, MiniMalloc and exact hardly ever go back, and are done in some milliseconds at most. The ILP is HiGHS as WebAssembly, which takes a tenth of a second for the nine buffers of FSRCNN, and has a second where the paper’s had hours: those that it does not finish are counted as if it did.`,
  },
  {
    paper: 'telamalloc',
    where: 'Figure 14',
    title: 'Which block next: configurations that fail',
    bench: ['figure14'],
    record: 'figure14',
    said: 'Of 1,192 configurations TelaMalloc fails on 27 to 37 times fewer than the four simple strategies, with 1.36 to 1.80 times fewer steps on those that both solve.',
    why: 'Other networks: of six families, random ones and the zoo, at six memories each. On these the paper’s ratio of failures comes out within a few of its range, and its ratio of steps does not: where a simple strategy solves one here, it walks through in about one step a buffer, and TelaMalloc does the same.',
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
    why: 'Linear here, too. 40 trees in integer tables where the paper has 100.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 17',
    title: 'What the features of the model are worth',
    bench: ['learned', 'importance'],
    record: 'learned-importance',
    said: 'Lifetime, contention, decision level and number of backtracks count most, the region least.',
    why: 'How far the way back is, how often it came there and where the level lies are first here, the phase, which is the region, is low as in the paper, and contention is last. But the model explains next to nothing of networks that it has not seen (R2, above), so that the order says little. It was trained for this on a quarter of the networks of the one that is built in.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 18',
    title: 'Speed-up of programs by the repacker: activations',
    bench: ['repack', 'activations'],
    record: 'repack-activations',
    said: 'Up to 7 % faster than with best fit as the repacker, on a TPUv4; muted where a model is not bound by memory.',
    why: 'Here bytes moved stand for time, at 10 : 1, so that nothing mutes what a repack brings. Where not even the exact solver makes room, no repacker can: that is so on half of the rows. Where TelaMalloc loses, a repack has let one large buffer in that keeps others out: on ResNet-50 FPN at 75 % (arenascope select --json) 2,408,448 bytes moved by layer2.2.Add are in, and twice 1,605,632 by two convolutions are out.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 18, with weights',
    title: 'Speed-up of programs by the repacker: weights loaded ahead',
    bench: ['repack', 'weights'],
    record: 'repack-weights',
    said: 'The paper does not say whether weights are among the buffers.',
    why: 'As above, and weights that are loaded ahead add many small buffers, among which a repack finds room more often: on more rows than with activations alone TelaMalloc is ahead, and on fewer the exact solver finds nothing. Where it loses most, BlazeFace at 75 % (arenascope select --json), block2.Pad is in (458,752 bytes moved), and block2.pw and block2.dw are out (851,968).',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 18, batch 8',
    title: 'Speed-up of programs by the repacker: eight inputs at once',
    bench: ['repack', 'batch'],
    record: 'repack-batch',
    said: 'The paper does not say how many inputs run together.',
    why: 'Activations grow with the batch and weights do not, so that these are smaller beside them: less than with one input comes of repacking, more than without weights. Without weights every row is that of batch 1, as all sizes and the memory are eight times as large.',
  },
  {
    paper: 'telamalloc',
    where: 'Figure 18, training',
    title: 'Speed-up of programs by the repacker: a training step',
    bench: ['repack', 'training'],
    record: 'repack-training',
    said: 'The paper does not say which of its programs train.',
    why: 'Each activation waits for its gradient, so that long lifespans lie among short ones, and the memory is a share of a peak that inference never has. Most rows are equal to best fit or next to it. On SRGAN at 75 % (arenascope select --json) one repack of 23 lets up0 in, which moves 25,165,824 bytes, and eight more find a gap after it. Where TelaMalloc loses most, on BlazeFace at 25 % (arenascope select --json), no repack makes room for its newcomer, but XLA’s rule packs the others closer all the same, so that later ones find gaps.',
  },
  {
    paper: 'minimalloc',
    where: 'Table 2',
    title: 'The challenging suite, A to K',
    bench: ['exact', 'satisfy'],
    record: 'exact-satisfy',
    theirs: MINI_TABLE_2,
    said: 'On a 2.3 GHz EPYC. Neither the ILP nor TelaMalloc solves one of them in an hour.',
    why: 'MiniMalloc here takes the decisions of the published program (backtracks, heights and offsets equal in 493 runs, tests/core/solvers/test_reference.c). What differs is what one costs, as most are refused in constant time (core/src/solve/minimalloc/README.md), and the machine. “exact” is our own solver. What the others make of them stands below.',
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
    why: 'Objects of one solver, stripped, without the model and the engine that all share. The paper’s are libraries whole, and MiniMalloc’s is small there by its “lack of external dependencies”; none has one here.',
  },
  {
    paper: 'minimalloc',
    where: 'Figure 8',
    title: 'Five solvers on the original suite',
    bench: ['baselines', 'networks'],
    record: 'baselines-networks',
    same: 'TelaMalloc’s figures 12 and 13',
    said: 'CSP solves none of the eleven in a minute, meta-CSP eight; the ILP all; TelaMalloc is 9 times as fast as the ILP, MiniMalloc 328 times.',
    why: `${ELEVEN} With a tenth to spare absolute placement in units of one byte, which solves none there, gets through on most: never once does it go back on those. On the two where the first way is wrong it does not end.`,
  },
  {
    paper: 'minimalloc',
    where: 'Figure 9',
    title: 'Share of problems solved within a time',
    bench: ['baselines', 'networks'],
    record: 'baselines-curve',
    said: 'Of more than a thousand models within 1 ms: ILP 16 %, TelaMalloc 32 %, MiniMalloc 85 %, which TelaMalloc reaches at 100 ms. MiniMalloc is the fastest of all on 99 %.',
    why: `${ELEVEN} The curves are of the runs of figures 12 and 13. With a tenth to spare TelaMalloc and MiniMalloc hardly ever go back, and what is left is what a buffer costs each; there TelaMalloc is ahead.`,
  },
  {
    paper: 'minimalloc',
    where: 'Figure 10',
    title: 'The synthetic suite: 20 to 60 buffers, 25 problems of each size',
    bench: ['baselines', 'synthetic'],
    record: 'baselines-synthetic',
    said: 'MiniMalloc solves all 525, most within a millisecond; ILP and TelaMalloc solve fewer the more buffers there are.',
    why: 'Their generator is not published: ours cuts a rectangle into pieces as section 8.3 describes. The limit is a tenth of a second, not their minute: within it MiniMalloc leaves a few of the largest open, exact none. It is what HiGHS takes for nine buffers (figures 12 and 13, FSRCNN).',
  },
  {
    paper: 'cosma',
    where: 'Figure 3',
    title: 'Bytes moved on networks by people, activations alone',
    bench: ['cosma', 'figure3'],
    record: 'cosma-figure3',
    said: '84 % fewer bytes than the four schemes on average; none at the least peak, where the schemes move some of all but FCN. At most a second, DeepLabV3 apart.',
    why: 'The means agree; the bars’ figures are not printed, so that no network can be compared by itself. FCN is no exception here. What the schemes pay for is where they put tensors: in the very same orders the optimum moves as little as over all of them, on each of the ten (FS default, FS MPMF, joint).',
  },
  {
    paper: 'cosma',
    where: 'Figure 3, with parameters',
    title: 'The same with parameters',
    bench: ['cosma', 'figure3p'],
    record: 'cosma-figure3p',
    said: 'As above; DeepLabV3 takes 7 seconds at M_R and 17 at M_H, all others less than one.',
    why: 'A weight is in the arena while its operator runs, no longer. DeepLabV3, the slowest there, is among the quickest here: the search is another one (core/src/solve/cosma/README.md), for which the Transformer is the hardest.',
  },
  {
    paper: 'cosma',
    where: 'Figure 4',
    title: 'Bytes moved on searched networks',
    bench: ['cosma', 'figure4'],
    record: 'cosma-figure4',
    said: '85 % fewer bytes than the four schemes on average, by hand-picked break nodes, and not proven least.',
    why: 'Ours is the optimum over all orders, proven, without break nodes. In the MPMF order alone (FS MPMF) it moves more at M_R on four of the six, at M_H on one, at M_P on none: on searched networks the order counts where memory is short. The paper has NASNet-A move more in its MPMF order than in the default one; here it moves less (1,099,008 bytes of 2,577,430 at M_R), as there are many orders of the least peak, and theirs are not printed.',
  },
  {
    paper: 'cosma',
    where: 'Table II',
    title: 'Seconds on searched networks',
    bench: ['cosma', 'table2'],
    record: 'cosma-table2',
    theirs: COSMA_TABLE_2,
    why: 'Theirs is an integer program in Gurobi, on an Apple M1 Pro; ours a search of its own (core/src/solve/cosma/README.md), which proves the optimum over all orders (joint) where theirs had a heuristic (DnC).',
  },
  {
    paper: 'taa',
    where: 'Table 1',
    title: 'Bytes of intermediate tensors',
    bench: ['taa', 'table1'],
    record: 'taa-table1',
    theirs: TAA_TABLE_1,
    why: 'FSRCNN agrees to the byte. On the others the paper’s compiler must have fused more: what it reports of MobileNet, MNASNet and Inception v3 is less than is live at once here in their first layers (column live), so that these never left the chip there. Network by network: wasm/README.md.',
  },
  {
    paper: 'taa',
    where: 'Table 2',
    title: 'Milliseconds of the allocator',
    bench: ['taa', 'table2'],
    record: 'taa-table2',
    theirs: TAA_TABLE_2,
    why: 'Another machine (theirs a Threadripper 2950X) and another program. On every network taa-exact proves its plan the lowest in less time than the paper’s heuristic takes.',
  },
]
