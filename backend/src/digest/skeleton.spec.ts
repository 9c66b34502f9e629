import fc from 'fast-check';
import { growthOf, MAX_GROWTH } from '../time/growth.fixture.ts';
import { MAX_RAW_LENGTH, skeletonOf } from './skeleton.ts';

describe('skeletonOf', () => {
  it.each([
    ['Order 4711 not found', 'Order <n> not found'],
    ['Order 4711, 4712, 4713 and 5 not found', 'Order <n> and <n> not found'],
    ['no order c0ffee12-3456-789a-bcde-f0123456789a', 'no order <n>'],
    ['user ann.b+x@mail.example.com, is gone', 'user <email> is gone'],
    ['GET https://a.example/x?id=1 failed: status 503', 'GET <url> failed: status 503'],
    ['fetch postgres://ann:pw@db/app: refused', 'fetch <url>: refused'],
    ['(see https://a.example/x).', '(see <url>).'],
  ])('takes ids, addresses and URLs out of %j', (message, skeleton) => {
    expect(skeletonOf(message)).toBe(skeleton);
  });

  it.each([
    [
      "Cannot read properties of undefined (reading 'map')",
      "Cannot read properties of undefined (reading 'map')",
    ],
    ['Unknown column "total_cents"', 'Unknown column "total_cents"'],
    ['Unknown column "total2"', 'Unknown column <str>'],
    ["no file 'my report'", 'no file <str>'],
    ['Invalid value “large box” for `size`', 'Invalid value <str> for `size`'],
    ["can't read the user's cart", "can't read the user's cart"],
    ['unclosed "quote stays', 'unclosed "quote stays'],
  ])('keeps of quoted text only identifiers without digits in %j', (message, skeleton) => {
    expect(skeletonOf(message)).toBe(skeleton);
  });

  it.each([
    ['Request failed with status code 404', 'Request failed with status code 404'],
    ['upstream answered (status: 502).', 'upstream answered (status: 502).'],
    ['upstream answered status=502', 'upstream answered status=502'],
    ['status 1404', 'status <n>'],
    ['status 999', 'status <n>'],
    ['order 404', 'order <n>'],
  ])('keeps a status of three digits after "status" or "code" in %j', (message, skeleton) => {
    expect(skeletonOf(message)).toBe(skeleton);
  });

  it.each([
    'connect ECONNREFUSED 10.0.0.7:5432',
    'connect ECONNREFUSED db-1.prod.internal:5432',
    'connect ECONNREFUSED ::1:5432',
    'connect ECONNREFUSED db.prod.internal',
    'connect ECONNREFUSED localhost',
    'connect ECONNREFUSED postgres',
  ])('takes the host out of %j', (message) => {
    expect(skeletonOf(message)).toBe('connect ECONNREFUSED <n>');
  });

  it('reads the first line that says something, in NFC', () => {
    expect(skeletonOf('\n  \nCafe\u0301 closed\nat once')).toBe('Café closed');
  });

  it('cuts at 200 characters after the replacements, not before and not within a character', () => {
    const ids = Array.from({ length: 100 }, (_, index) => 100_000 + index).join(' ');

    expect(skeletonOf(`${ids} ${'🙂'.repeat(300)}`)).toBe(`<n> ${'🙂'.repeat(196)}`);
  });

  it('is one line of at most 200 characters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (message) => {
        const skeleton = skeletonOf(message);

        expect([...skeleton].length).toBeLessThanOrEqual(200);
        expect(skeleton).not.toMatch(/[\p{Cc}\p{Nd}\u2028\u2029](?<!(?:status|code).{0,12})/u);
      }),
    );
  });

  it.each(['a', '"a ', '-', '.-', '@a.1', '‘', 'http://.', '1 '])(
    'takes time in proportion to the length of many %j',
    (hostile) => {
      // A longer text is cut and takes no longer, so its time would not show quadratic work.
      const text = hostile.repeat(Math.ceil(MAX_RAW_LENGTH / hostile.length));

      expect(growthOf(MAX_RAW_LENGTH, (size) => skeletonOf(text.slice(0, size)))).toBeLessThan(MAX_GROWTH);
    },
  );
});
