import { growthOf, MAX_GROWTH } from '../../time/growth.fixture.ts';
import { factsOf } from './event-facts.ts';
import { ID_BYTES, idsOf, textsOf } from './event-ids.ts';

type Body = Readonly<Record<string, unknown>>;

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function textsIn(event: Body): readonly string[] {
  return textsOf(event, factsOf(event, 'server', null));
}

describe('the ids of an event', () => {
  it.each<[string, Body, readonly string[]]>([
    ['its trace', { contexts: { trace: { trace_id: TRACE.toUpperCase() } } }, [TRACE]],
    ['its replay', { contexts: { replay: { replay_id: TRACE } } }, [TRACE]],
    [
      'the trace of a tag',
      { tags: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, trace_id: 'x' } },
      [TRACE, 'x', `00-${TRACE}-00f067aa0ba902b7-01`, 'trace_id:x'],
    ],
    [
      'the trace of a header and of an extra',
      {
        request: { headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } },
        extra: { traceId: 'b7ad6b7169203331' },
      },
      [TRACE, 'b7ad6b7169203331'],
    ],
    ['no trace of zeros', { contexts: { trace: { trace_id: '0'.repeat(32) } } }, []],
    ['a request of a tag', { tags: { request_id: 'r-1' } }, ['r-1', 'request_id:r-1']],
    ['a request of a list of tags', { tags: [['requestId', '0451f'], null] }, ['0451f', 'requestid:0451f']],
    ['a request of an extra', { extra: { correlation_id: 'c1' } }, ['c1']],
    ['a request of a header', { request: { headers: [['X-Request-ID', 'Req-7f3a']] } }, ['req-7f3a']],
    [
      'the root of Amazon\u2019s trace',
      { request: { headers: { 'X-Amzn-Trace-Id': 'Self=1-2-3;Root=1-67891233-abcdef;Sampled=1' } } },
      ['1-67891233-abcdef'],
    ],
    [
      'a ray without its data centre',
      { request: { headers: { 'CF-Ray': '8f2b5c1d9e3a4b6c-FRA' } } },
      ['8f2b5c1d9e3a4b6c'],
    ],
    ['no other header', { request: { headers: { Cookie: 'a=1234567', 'X-Other-ID': '1234567' } } }, []],
    [
      'its user',
      {
        user: {
          id: 4711,
          email: 'Ann@Shop.example',
          username: 'ann',
          name: 'Ann Lee',
          ip_address: '203.0.113.7',
        },
      },
      ['user:4711', 'user:ann@shop.example', 'user:ann', 'user:ann lee'],
    ],
    [
      'its place',
      {
        request: { url: 'https://shop.example/%C3%BCber/7?token=1#top' },
        release: 'shop@1.4.2',
        environment: 'production',
        server_name: 'web-1',
      },
      ['url:/\u00fcber/7', 'release:shop@1.4.2', 'environment:production', 'server:web-1'],
    ],
    ['a route', { request: { url: 'https://shop.example/app#/orders/7' } }, ['url:#/orders/7']],
    [
      'its tags: codes by themselves, words with their name',
      { tags: { order: '4711-AB', plan: 'Gold', seats: 12, browser: 'Chrome 156.0', empty: '' } },
      ['4711-ab', 'plan:gold', 'seats:12', 'browser:chrome 156.0'],
    ],
    [
      'no tag of Errata',
      { tags: { 'errata.digest': '7KQ4-M2XD', 'errata.digest_key': 'a1'.repeat(32) } },
      [],
    ],
    [
      'the reference of the server’s event that it names',
      { tags: { 'errata.server_digest': '7KQ4-M2XD', 'errata.server_reference': 'ABCD-1234' } },
      ['reference:abcd-1234'],
    ],
    [
      'codes of its extras',
      { extra: { digest: '3956068727', n: 4056068727, note: 'two words 1', on: true } },
      ['3956068727', '4056068727'],
    ],
    [
      'codes of objects and lists in its extras',
      {
        extra: {
          order: { id: '4711-AB', rows: [{ id: '4712-AB' }] },
          orders: ['4713-AB', { id: '4714-AB' }],
          call: { request_id: 'r-1' },
          long: Array.from({ length: 100 }, (_, index) => (index === 99 ? '4715-AB' : 'x')),
        },
      },
      ['r-1', '4711-ab', '4713-ab'],
    ],
    [
      'codes of its fingerprint',
      { fingerprint: ['{{ default }}', 'next-rsc', '2956068727@E263'] },
      ['2956068727@e263'],
    ],
    [
      'codes in its title',
      { exception: { values: [{ type: 'Error', value: 'order=4711-AB, of "cart/77" is gone (A1)' }] } },
      ['order=4711-ab', '4711-ab', 'cart/77'],
    ],
    ['nothing that was scrubbed', { tags: { a: '[Filtered]', b: 'x [Filtered] 123456' } }, []],
    ['wide and composed characters in one form', { tags: { order: '\uff14711-\uff21\uff22' } }, ['4711-ab']],
    ['128 characters', { tags: { long: `7${'x'.repeat(65_536)}` } }, [`7${'x'.repeat(127)}`]],
  ])('are %s', (_name, event, expected) => {
    expect(textsIn({ message: 'failed', ...event })).toEqual(expected);
  });

  it('are at most 32, the most certain first', () => {
    const tags = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`tag${index}`, `code-${index}-1`]),
    );
    const extra = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`x${index}`, `extra-${index}`]),
    );
    const message = Array.from({ length: 20 }, (_, index) => `word-${index}`).join(' ');
    const request = { headers: Array.from({ length: 9 }, (_, index) => ['X-Request-ID', `r-${index}`]) };
    const event = { tags, extra, message, request, user: { id: 1, email: 'a@b.cc', username: 'c' } };
    const contexts = { trace: { trace_id: TRACE }, replay: { replay_id: 'b'.repeat(32) } };

    const texts = textsIn({ ...event, contexts, release: '1', environment: 'e', server_name: 's' });

    expect(texts).toHaveLength(32);
    expect(texts.slice(0, 6)).toEqual([TRACE, 'b'.repeat(32), 'r-0', 'r-1', 'r-2', 'r-3']);
  });

  it('take linear time for very many and long tags', () => {
    const longs = (count: number): Body => ({
      tags: Array.from({ length: count }, (_, index) => [`tag${index}`, `${'x'.repeat(65_536)}${index}`]),
    });
    const event = longs(10_000);

    expect(idsOf(event, factsOf(event, 'server', null))).toHaveLength(12 * ID_BYTES);
    expect(growthOf(10_000, (size) => textsIn(longs(size)))).toBeLessThan(MAX_GROWTH);
  });
});
