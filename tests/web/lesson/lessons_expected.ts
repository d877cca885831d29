/** What the core says where the lessons ask it: each figure was read off the picture, the paper or a calculation by hand before it was put here. */
import { SEARCH } from './lessons_expected_search'

export const EXPECTED: Record<string, { facts: Record<string, string>; answer: unknown }> = {
  'static-allocation/1': {
    facts: {
      count: '4',
    },
    answer: ['input'],
  },
  'static-allocation/2': {
    facts: {
      input: '3',
      conv: '4',
      relu: '4',
      output: '2',
      height: '8',
    },
    answer: 13,
  },
  'static-allocation/3': {
    facts: {
      from: '0',
      to: '2',
      others: '2',
    },
    answer: ['relu', 'output'],
  },
  'static-allocation/4': {
    facts: {
      count: '4',
    },
    answer: {
      bricks: { conv: 0, output: 0, relu: 4, input: 4 },
    },
  },
  'static-allocation/5': {
    facts: {},
    answer: 'The offsets',
  },
  'load/1': {
    facts: {
      sections: '7',
      span: '[3, 4)',
      who: 'b1 (5) and b4 (4)',
    },
    answer: 9,
  },
  'load/2': {
    facts: {
      bound: '10',
    },
    answer: '[0, 3)',
  },
  'load/3': {
    facts: {
      bound: '10',
    },
    answer: {
      capacity: 10,
    },
  },
  'load/4': {
    facts: {
      bound: '4',
      least: '5',
    },
    answer: {
      capacity: 5,
    },
  },
  'load/5': {
    facts: {
      height: '10',
      bound: '10',
    },
    answer: 'The plan is optimal',
  },
  'greedy/1': {
    facts: {
      count: '5',
    },
    answer: ['a'],
  },
  'greedy/2': {
    facts: {
      capacity: '960',
    },
    answer: {
      at: 6,
    },
  },
  'greedy/3': {
    facts: {
      least: '1,024',
      capacity: '960',
    },
    answer: {
      options: {
        order: 'start',
      },
    },
  },
  'greedy/4': {
    facts: {
      height: '960',
      greedy: '384',
    },
    answer: 640,
  },
  'greedy/5': {
    facts: {},
    answer: 'These orders do not find a plan',
  },
  'fragmentation/1': {
    facts: {
      time: '2',
      need: '6',
      capacity: '8',
      room: '3',
    },
    answer: 6,
  },
  'fragmentation/2': {
    facts: {
      height: '11',
    },
    answer: ['b'],
  },
  'fragmentation/3': {
    facts: {
      capacity: '8',
    },
    answer: {
      order: ['b', 'a', 'c', 'd'],
    },
  },
  'fragmentation/4': {
    facts: {
      t0: '64',
      t1: '32',
      align: '64',
      top: '296',
    },
    answer: 320,
  },
  'fragmentation/5': {
    facts: {
      load: '432',
      least: '520',
    },
    answer: {
      capacity: 520,
    },
  },
  'orders/1': {
    facts: {
      count: '5',
    },
    answer: 120,
  },
  'orders/2': {
    facts: {
      count: '5',
      capacity: '12',
      orders: '120',
      good: '52',
      plans: '8',
    },
    answer: {
      order: ['b5', 'b3', 'b4', 'b1', 'b2'],
    },
  },
  'orders/3': {
    facts: {},
    answer: 2,
  },
  'orders/4': {
    facts: {},
    answer: 8,
  },
  'orders/5': {
    facts: {},
    answer: {
      order: ['b5', 'b4', 'b3', 'b2', 'b1'],
    },
  },
  'monotonicity/1': {
    facts: {
      all: '8',
    },
    answer: 4,
  },
  'monotonicity/2': {
    facts: {
      ties: '3',
    },
    answer: 1,
  },
  'monotonicity/3': {
    facts: {
      last: 'b2',
      bound: '8',
      tried: 'b4',
      at: '0',
    },
    answer: 'No, 0 is below 8',
  },
  'monotonicity/4': {
    facts: {
      last: 'g',
      bound: '0',
      tried: 'f',
      at: '0',
    },
    answer: 'It should have come before g',
  },
  'monotonicity/5': {
    facts: {
      on: '231',
    },
    answer: {
      options: {
        canonical_only: 'false',
      },
    },
  },
  'sections/1': {
    facts: {
      sections: '3',
      first: '[0, 3)',
      firstWho: 'b1, b3, b5',
      second: '[3, 9)',
      secondWho: 'b2, b3, b5',
      third: '[9, 21)',
      thirdWho: 'b4, b5',
      capacity: '12',
      floor: '8',
      rest: '4',
    },
    answer: 12,
  },
  'sections/2': {
    facts: {
      total: '16',
      over: '4',
    },
    answer: '[3, 9)',
  },
  'sections/3': {
    facts: {
      tried: 'c',
      at: '3',
      span: '[8, 9)',
      floor: '5',
      rest: '11',
    },
    answer: '[8, 9)',
  },
  'sections/4': {
    facts: {
      tried: 'b',
      at: '5',
      span: '[9, 11)',
      floor: '5',
      rest: '7',
    },
    answer: 12,
  },
  'sections/5': {
    facts: {
      with: '39',
      without: '707',
    },
    answer: {
      options: {
        section_inference: 'false',
      },
    },
  },
  'dominance/1': {
    facts: {
      at: '4',
    },
    answer: ['b4'],
  },
  'dominance/2': {
    facts: {},
    answer: {
      order: ['b3', 'b4', 'b1'],
    },
  },
  'dominance/3': {
    facts: {
      count: '3',
      tried: 'c',
      at: '4',
      top: '4',
    },
    answer: ['g'],
  },
  'dominance/4': {
    facts: {},
    answer: 'No, one plan always stays',
  },
  'dominance/5': {
    facts: {},
    answer: 64,
  },
  'decomposition/1': {
    facts: {
      cut: '9',
      parts: '2',
    },
    answer: ['b4'],
  },
  'decomposition/2': {
    facts: {
      first: '1',
    },
    answer: 3,
  },
  'decomposition/3': {
    facts: {},
    answer: 'They need not be looked at any more',
  },
  'decomposition/4': {
    facts: {
      with: '39',
      without: '65',
      back: '4',
    },
    answer: {
      options: {
        dynamic_decomposition: 'false',
      },
    },
  },
  ...SEARCH,
}
