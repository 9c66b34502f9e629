import fc from 'fast-check';
import { digestOf } from '../../digest/digest.ts';
import { MAX_CAUSES } from '../../digest/fault.ts';
import { isFields } from '../../digest/fields.ts';
import { MAX_RAW_FRAMES } from '../../digest/own-frames.ts';
import { readError } from '../../digest/read-error.ts';
import { eventFault, type FaultOptions } from './event-fault.ts';
import { normalEvent } from './normal-event.ts';

const options: FaultOptions = { root: '/srv/errata', frames: 'all' };
const faultOf = (posted: unknown, changes: Partial<FaultOptions> = {}) =>
  eventFault(normalEvent(isFields(posted) ? { platform: 'node', ...posted } : {}), {
    ...options,
    ...changes,
  });
const frame = (filename: string, name: string) => ({
  filename,
  function: name,
  lineno: 1,
  colno: 2,
  in_app: true,
});

describe('eventFault', () => {
  it('reads the exception that was thrown, its causes and its frames, innermost first', () => {
    const event = {
      exception: {
        values: [
          { type: 'Error', value: 'no connection' },
          {
            type: 'LoadError',
            value: 'no order 7',
            stacktrace: {
              frames: [
                frame('/srv/errata/dist/main.js', 'start'),
                frame('/srv/errata/dist/orders.js', 'Orders.load'),
              ],
            },
          },
        ],
      },
    };

    expect(faultOf(event)).toEqual({
      type: 'LoadError',
      code: null,
      message: 'no order 7',
      frames: [
        { file: 'orders', function: 'load' },
        { file: 'main', function: 'start' },
      ],
      cause: {
        type: 'Error',
        code: null,
        message: 'no connection',
        frames: [],
        cause: null,
        members: [],
        ownDigest: null,
      },
      members: [],
      ownDigest: null,
    });
  });

  it('gives the digest of the live error for what the node SDK makes of it', () => {
    const error = new RangeError('no order 7');
    error.stack =
      'RangeError: no order 7\n    at async Orders.load (file:///srv/errata/dist/orders.js:1:2)\n    at file:///srv/errata/dist/main.js:3:4';
    const frames = [
      frame('/srv/errata/dist/main.js', '?'),
      frame('/srv/errata/dist/orders.js', 'Orders.load'),
    ];
    const event = {
      exception: { values: [{ type: 'RangeError', value: 'no order 7', stacktrace: { frames } }] },
    };
    const fault = faultOf(event);

    expect(fault && digestOf(fault, { route: null })).toEqual(
      digestOf(readError(error, '/srv/errata'), { route: null }),
    );
  });

  it('follows the ids of linked errors and tells the members of an AggregateError from its cause', () => {
    const linked = (type: string, source: string, id: number, parent: number) => ({
      type,
      mechanism: { type: 'chained', source, exception_id: id, parent_id: parent },
    });
    const values = [
      linked('Stranger', 'cause', 3, 2),
      linked('Member', 'errors[0]', 2, 0),
      linked('Cause', 'cause', 1, 0),
      { type: 'AggregateError', mechanism: { exception_id: 0 } },
    ];
    const fault = faultOf({ exception: { values } });

    expect(fault).toMatchObject({
      type: 'AggregateError',
      cause: { type: 'Cause', cause: null, members: [] },
      members: [{ type: 'Member', cause: { type: 'Stranger' } }],
    });
  });

  it('leaves frames out that the SDK calls foreign, and all of them without a source map', () => {
    const frames = [
      frame('/srv/errata/dist/main.js', 'start'),
      { ...frame('/opt/agent.js', 'wrap'), in_app: false },
    ];
    const event = { exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames } }] } };

    expect(faultOf(event)?.frames).toEqual([{ file: 'main', function: 'start' }]);
    expect(faultOf(event, { frames: 'none' })?.frames).toEqual([]);
  });

  it.each([
    ['503 Service Unavailable: no stock', 'auto.errata.boundary', { code: '503', message: '' }],
    ['500', 'auto.errata.caught', { code: '500', message: '' }],
    ['5000 carts', 'auto.errata.boundary', { code: null, message: '5000 carts' }],
    ['503 Service Unavailable', 'generic', { code: null, message: '503 Service Unavailable' }],
  ])('reads the response %j thrown in a browser, mechanism %s', (value, type, expected) => {
    const values = [{ type: 'ErrorResponse', value, mechanism: { type } }];

    expect(faultOf({ exception: { values } })).toMatchObject(expected);
  });

  it.each([
    [{ message: 'disk is full' }, 'disk is full'],
    [{ message: { message: 'disk %s is full', formatted: 'disk a is full' } }, 'disk %s is full'],
    [
      { logentry: { message: 'disk %s is full', formatted: 'disk a is full' }, message: 'x' },
      'disk %s is full',
    ],
    [{ logentry: { formatted: 'disk a is full' } }, 'disk a is full'],
  ])('reads the event without an exception %j', (event, message) => {
    expect(faultOf(event)).toMatchObject({ type: '', message, frames: [], cause: null });
  });

  it.each([
    [
      'java',
      'class Cart$HibernateProxy$AbCdEfGh cannot be cast',
      'class Cart$HibernateProxy$q9TTbbRe cannot be cast',
    ],
    ['groovy', 'no bean of Cart$ByteBuddy$AbCdEfGh', 'no bean of Cart$ByteBuddy$ZyXwVuTs'],
  ])('gives on %s one digest for %j and the message of another process', (platform, one, other) => {
    const [first, second] = [one, other].map((value) =>
      faultOf({ platform, exception: [{ type: 'ClassCastException', value }] }),
    );

    expect(first && digestOf(first, { route: null })).toEqual(second && digestOf(second, { route: null }));
  });

  it('reads the type of an exception of an anonymous class without its file, which PHP alone names', () => {
    const type = 'RuntimeException@anonymous\0/srv/releases/41/src/x.php:12$0';
    const typeOn = (platform: string) => faultOf({ platform, exception: [{ type, value: 'x' }] })?.type;

    expect(typeOn('php')).toBe('RuntimeException@anonymous');
    expect(typeOn('python')).toBe(type);
  });

  it.each([
    null,
    undefined,
    7,
    'text',
    [],
    {},
    { exception: null },
    { exception: { values: [] } },
    { exception: { values: 'x' }, message: ' ' },
    { exception: { values: [null, 7] } },
  ])('is null for %j, which holds no exception and no message', (event) => {
    expect(faultOf(event)).toBeNull();
  });

  it('takes an exception whose fields all have the wrong type', () => {
    const event = {
      exception: [
        { type: 7, value: {}, mechanism: 'x', stacktrace: { frames: [null, { filename: 7, function: [] }] } },
      ],
    };

    expect(faultOf(event)).toMatchObject({ type: '7', message: '{}', frames: [] });
  });

  it('never throws, for any posted value', () => {
    const value = fc.record(
      {
        type: fc.anything(),
        value: fc.anything(),
        mechanism: fc.anything(),
        stacktrace: fc.record({ frames: fc.anything() }),
      },
      { requiredKeys: [] },
    );
    const event = fc.record({
      exception: fc.oneof(fc.anything(), fc.record({ values: fc.array(value) })),
      message: fc.anything(),
      logentry: fc.anything(),
    });

    fc.assert(
      fc.property(fc.oneof(fc.anything(), event), (posted) => {
        const fault = faultOf(posted);

        expect(fault === null || digestOf(fault, { route: null }).shown).toBeTruthy();
      }),
    );
  });

  it('reads a bounded number of frames, of a hundred thousand in a thousand exceptions', () => {
    let reads = 0;
    const counted = {
      ...frame('', 'f'),
      get filename() {
        reads += 1;
        return '/srv/errata/node_modules/a/b.js';
      },
    };
    const frames = Array.from({ length: 100_000 }, () => counted);
    const value = { type: 'Error', value: 'x', stacktrace: { frames } };

    faultOf({ exception: { values: Array.from({ length: 1_000 }, () => value) } });

    expect(reads).toBeGreaterThan(0);
    // The frames of the thrown exception and of its causes.
    expect(reads).toBeLessThanOrEqual((1 + MAX_CAUSES) * MAX_RAW_FRAMES);
  });
});
