import { readConfig } from '../config/config.ts';
import { canonicalDsn, parseDsn } from '../envelope/dsn.ts';
import type { DispatcherOptions } from '../relay/dispatcher-options.ts';
import { upstreamDispatcher } from './open-sinks.ts';

function namesOf(text: string): Pick<DispatcherOptions, 'name' | 'place' | 'key'> {
  const dsn = parseDsn(text);
  if (dsn === undefined) throw new Error(`not a DSN: ${text}`);
  const project = { dsn, project: canonicalDsn(dsn), hasUpstream: true };
  const keep = { rateLimits: { of: () => [] }, saveRateLimits: () => {} };
  const { name, place, key, upstream } = upstreamDispatcher(readConfig({}), '1.0.0', project, keep, null);
  void upstream.close();
  return { name, place, key };
}

describe('name, place and key of an upstream', () => {
  it.each([
    ['https://0123456789abcdef@one.example/42', 'one.example/42'],
    ['http://0123456789abcdef@one.example:9000/42', 'one.example:9000/42'],
    ['https://0123456789abcdef@one.example/below/42', 'one.example/below/42'],
  ])('of %s: the place is %s', (dsn, place) => {
    expect(namesOf(dsn)).toEqual({ name: `upstream ${place} 01234567`, place, key: '01234567' });
  });
});
