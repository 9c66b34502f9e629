import type { Fields } from '../../digest/fields.ts';
import { asCrash, partsOfFacts, titleOf } from './event-facts.ts';

describe('the title of an event without an exception and a message', () => {
  it.each<[title: string, event: Fields, path: string | null]>([
    // As sentry-native writes it with Breakpad, and Electron's SDK beside an `event.minidump`.
    ['Native crash (minidump)', { platform: 'native', level: 'fatal', sdk: { name: 'sentry.native' } }, null],
    ['Native crash (minidump)', { platform: 'native', level: 'fatal', tags: { event_type: 'native' } }, null],
    ['Event without a message', { platform: 'native', level: 'error' }, null],
    ['Event without a message', { platform: 'python', level: 'fatal' }, null],
    ['Event without a message at /cart', { platform: 'node' }, '/cart'],
    ['out of memory', { platform: 'native', level: 'fatal', message: 'out of memory' }, null],
    ['SIGSEGV', { platform: 'native', level: 'fatal', exception: { values: [{ type: 'SIGSEGV' }] } }, null],
  ])('is %j for %j', (title, event, path) => {
    expect(titleOf(event, path)).toBe(title);
    expect(titleOf({ ...partsOfFacts(event), exception: event['exception'] }, path)).toBe(title);
  });
});

describe('asCrash', () => {
  // The platform of an exception decides how its frames enter the digest.
  it.each([
    { platform: 'cocoa', exception: { values: [{ type: 'NSRangeException' }] } },
    { platform: 'javascript', message: 'out of memory' },
  ])('leaves %j as it is, which has a name of its own', (event) => {
    expect(asCrash(event)).toBe(event);
  });
});
