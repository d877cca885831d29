/** Facts and answers of the lessons on searches, on the least traffic and on tiles. */
export const SEARCH: Record<string, { facts: Record<string, string>; answer: unknown }> = {
  'phases/1': {
    facts: {
      load: '10',
    },
    answer: '[1, 2)',
  },
  'phases/2': {
    facts: {
      first: '2',
    },
    answer: ['b0'],
  },
  'phases/3': {
    facts: {
      longest: 'b2',
    },
    answer: ['b3'],
  },
  'phases/4': {
    facts: {
      next: 'b3',
      above: '7',
    },
    answer: 0,
  },
  'phases/5': {
    facts: {
      gap: '9',
      parts: '2',
    },
    answer: ['b6'],
  },
  'backtracks/1': {
    facts: {
      low: '3',
      high: '4',
    },
    answer: 1,
  },
  'backtracks/2': {
    facts: {
      tried: 'b7',
      at: '6',
      least: '8',
      most: '7',
    },
    answer: ['b1'],
  },
  'backtracks/3': {
    facts: {
      innocent: '4',
      from: '7',
      to: '2',
    },
    answer: {
      at: 10,
    },
  },
  'backtracks/4': {
    facts: {
      who: 'b6, b8, b5',
      innocent: '4',
      levels: '5',
    },
    answer: ['b6'],
  },
  'backtracks/5': {
    facts: {
      at: '3',
    },
    answer: ['b7'],
  },
  'backtracks/6': {
    facts: {
      innocent: '4',
      steps: '18',
      height: '8',
      all: '3',
    },
    answer: 2,
  },
  'tight/1': {
    facts: {
      count: '24',
      total: '159',
      capacity: '73',
      bound: '67',
    },
    answer: 6,
  },
  'tight/2': {
    facts: {
      most: '2,122',
      easy: '69',
      few: '27',
    },
    answer: {
      capacity: 67,
    },
  },
  'tight/3': {
    facts: {
      less: '66',
      few: '26',
      most: '2,122',
    },
    answer: 'Every first placement fails at once',
  },
  'tight/4': {
    facts: {
      capacity: '67',
      places: '324',
      back: '259',
    },
    answer: 24,
  },
  'tight/5': {
    facts: {
      hard: '67',
      bytes: '2',
      easy: '69',
      most: '2,122',
      few: '27',
    },
    answer: 'A little more memory',
  },
  'least-traffic/1': {
    facts: {
      count: '351',
      given: '803,318',
      least: '685,035',
      capacity: '544,800',
    },
    answer: 140235,
  },
  'least-traffic/2': {
    facts: {
      traffic: '1,099,008',
    },
    answer: 549504,
  },
  'least-traffic/3': {
    facts: {
      traffic: '374,550',
      least: '685,035',
      own: '717,078',
      times: '2.9',
    },
    answer: 'More',
  },
  'least-traffic/4': {
    facts: {
      often: '14',
      rarely: '10',
    },
    answer: 'Fewer',
  },
  'least-traffic/5': {
    facts: {
      enough: '638,290',
      left: '103,488',
    },
    answer: {
      capacity: 638290,
    },
  },
  'least-traffic/6': {
    facts: {
      percent: '85',
      seconds: '37.5',
      traffic: '374,550',
      best: '1,616,448',
      joint: '374,550',
    },
    answer: 77,
  },
  'tiles/1': { facts: { height: '4' }, answer: 8 },
  'tiles/2': { facts: { height: '5', whole: '8' }, answer: ['out'] },
  'tiles/3': { facts: { height: '7', whole: '8' }, answer: 'Reading in from the last row as well' },
  'tiles/4': { facts: { height: '8' }, answer: ['right'] },
  'tiles/5': { facts: { height: '13', whole: '16' }, answer: 3 },
  'tiles/6': { facts: { height: '16', whole: '20' }, answer: 'As many bytes as out has' },
  'conflicts/1': {
    answer: 0,
    facts: {
      capacity: '6',
    },
  },
  'conflicts/2': {
    answer: ['d', 'f'],
    facts: {
      who: 'd and f',
    },
  },
  'conflicts/3': {
    answer: ['b'],
    facts: {
      blamed: 'b',
      who: 'd and f',
    },
  },
  'conflicts/4': {
    answer: 9,
    facts: {
      before: '10',
      skipped: '6',
    },
  },
  'conflicts/5': {
    answer: 'Either of the two is enough, and without both it is hopeless',
    facts: {
      all: '171',
      capacity: '16',
      count: '32',
      forgetful: '237',
      jumpless: '174',
      neither: '3,655',
    },
  },
  'proofs/1': {
    answer: 4,
    facts: {
      count: '7',
      load: '14',
      upper: '17',
    },
  },
  'proofs/2': {
    answer: {
      at: 39,
    },
    facts: {
      load: '14',
      next: '15',
    },
  },
  'proofs/3': {
    answer: 'Because everything below was searched to the end',
    facts: {
      height: '17',
      load: '14',
      steps: '71',
    },
  },
  'proofs/4': {
    answer: {
      capacity: 17,
    },
    facts: {
      capacity: '15',
      count: '32',
      least: '17',
      load: '15',
      steps: '82',
    },
  },
  'proofs/5': {
    answer: 'The plan, and the reason',
    facts: {
      capacity: '15',
      height: '14',
    },
  },
  'pairs/1': {
    facts: {
      capacity: '8',
      size: '4',
    },
    answer: 5,
  },
  'pairs/2': {
    facts: {
      who: 'b7',
      witness: 'b8',
      at: '4',
      top: '6',
      count: '2',
    },
    answer: ['b8'],
  },
  'pairs/3': {
    facts: {
      first: 'b9',
      backs: '5',
    },
    answer: { at: 22 },
  },
  'pairs/4': {
    facts: {
      pairs: '22',
    },
    answer: 6,
  },
  'pairs/5': {
    facts: {
      ground: '2',
      size: '4',
      moved: 'b2, b4, b5',
    },
    answer: 6,
  },
  'pairs/6': {
    facts: {},
    answer: 3,
  },
  'pairs/7': {
    facts: {
      pairs: '22',
      asked: '16',
      failed: '0',
    },
    answer: 6,
  },
  'pairs/8': {
    facts: {
      bytes: '6,193',
      units: '55',
      cp: '17',
      meta: '17',
    },
    answer: 'Only the search by addresses',
  },
  'peak/1': {
    answer: 3,
    facts: {
      bound: '2,408,448',
      ops: '72',
      peaks: '3',
      total: '16,987,624',
      who: 'layer1.0.conv3, layer1.0.downsample, layer1.0.Add',
    },
  },
  'peak/2': {
    answer: 'It reads a value more than once',
    facts: {
      apart: '2,408,448',
      bound: '1,806,336',
    },
  },
  'peak/3': {
    answer: {
      options: {
        allocator: 'exact',
        rule: 'least-alive',
      },
    },
    facts: {
      file: '442,368',
      lowest: '331,776',
      ops: '355',
      percent: '25',
    },
  },
  'peak/4': {
    answer: 'No: it is as low as the peak',
    facts: {
      peak: '331,776',
    },
  },
  'peak/5': {
    answer: 36864,
    facts: {
      height: '331,776',
      required: '294,912',
    },
  },
  'peak/6': {
    answer: 'A cleverer packing',
    facts: {},
  },
}
