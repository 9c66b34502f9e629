import {
  categoryOf,
  classOfItems,
  countEvents,
  createsEvent,
  isCritical,
  isForStore,
  isReport,
} from './envelope-class.ts';

describe('classOfItems', () => {
  it.each([
    [['event'], 0],
    [['feedback'], 0],
    [['user_report'], 0],
    [['unreal_report'], 0],
    [['session'], 1],
    [['sessions'], 1],
    [['check_in'], 1],
    [['transaction'], 2],
    [['span'], 2],
    [['client_report'], 2],
    [['raw_security'], 2],
    [['nel'], 3],
    [['log'], 3],
    [['otel_log'], 3],
    [['trace_metric'], 3],
    [['statsd'], 3],
    [['profile'], 3],
    [['profile_chunk'], 3],
    [['replay_event', 'replay_recording'], 4],
    [['replay_video'], 4],
  ])('L1: puts %j into class %i', (types, expected) => {
    expect(classOfItems(types)).toBe(expected);
  });

  it('L1: returns the highest class of all items', () => {
    expect(classOfItems(['replay_event', 'transaction', 'session', 'log'])).toBe(1);
  });

  it('L1: gives attachments the class of their envelope', () => {
    expect(classOfItems(['attachment', 'replay_event'])).toBe(4);
    expect(classOfItems(['event', 'attachment'])).toBe(0);
  });

  it('treats attachments alone as critical, because they can be a crash dump', () => {
    expect(classOfItems(['attachment', 'attachment'])).toBe(0);
  });

  it.each(['from_the_future', '__proto__', 'constructor', ''])(
    'E7: puts the unknown type %j in the middle',
    (type) => {
      expect(classOfItems([type])).toBe(2);
    },
  );

  it('puts an envelope without items last', () => {
    expect(classOfItems([])).toBe(4);
  });
});

describe('categoryOf', () => {
  it.each([
    ['event', 'error'],
    ['user_report', 'feedback'],
    ['sessions', 'session'],
    ['check_in', 'monitor'],
    ['log', 'log_item'],
    ['replay_recording', 'replay'],
    ['client_report', 'internal'],
    ['statsd', 'metric_bucket'],
    ['trace_metric', 'trace_metric'],
    ['from_the_future', 'unknown'],
    ['toString', 'unknown'],
  ])('H10: names the category of %s %s', (type, category) => {
    expect(categoryOf(type)).toBe(category);
  });
});

const TYPES = [
  'event',
  'feedback',
  'user_report',
  'unreal_report',
  'raw_security',
  'security',
  'nel',
  'transaction',
  'attachment',
  'session',
  'constructor',
];

describe('isForStore', () => {
  it('is true for errors, feedback and browser reports, and nothing else', () => {
    const types = TYPES.filter((type) => isForStore({ type, attachmentType: null }));

    expect(types).toEqual(['event', 'feedback', 'user_report', 'raw_security', 'nel']);
  });

  it.each([
    [true, { type: 'attachment', attachmentType: 'event.minidump' }],
    [false, { type: 'attachment', attachmentType: 'event.attachment' }],
    [false, { type: 'session', attachmentType: 'event.minidump' }],
  ])('is %j for %j', (expected, item) => {
    expect(isForStore(item)).toBe(expected);
  });
});

describe('isCritical', () => {
  it('is true for errors and feedback, and for no browser report', () => {
    expect(TYPES.filter(isCritical)).toEqual(['event', 'feedback', 'user_report', 'unreal_report']);
  });
});

describe('isReport', () => {
  it('is true for the types that the tunnel makes of browser reports', () => {
    expect(TYPES.filter(isReport)).toEqual(['raw_security', 'nel']);
  });
});

describe('createsEvent', () => {
  it('E14: requires an event id where Relay adds one', () => {
    const types = [
      'event',
      'feedback',
      'transaction',
      'attachment',
      'session',
      'log',
      'client_report',
      'raw_security',
      'nel',
      'toString',
    ];

    expect(types.filter(createsEvent)).toEqual([
      'event',
      'feedback',
      'transaction',
      'attachment',
      'raw_security',
    ]);
  });
});

describe('countEvents', () => {
  it('counts items with an event of their own, and browser reports, but nothing that belongs to an event', () => {
    const types = [
      'event',
      'feedback',
      'transaction',
      'user_report',
      'attachment',
      'replay_event',
      'profile',
      'log',
      'span',
    ];

    expect(countEvents([...types, 'raw_security', 'nel', 'nel', '__proto__'])).toEqual({
      events: 4,
      reports: 3,
    });
  });
});
