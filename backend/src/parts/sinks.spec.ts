import { readConfig } from '../config/config.ts';
import { canonicalDsn, parseDsn } from '../envelope/dsn.ts';
import { upstreamDispatcher } from './sinks.ts';

function nameOf(text: string): string {
  const dsn = parseDsn(text);
  if (dsn === undefined) throw new Error(`not a DSN: ${text}`);
  const project = { dsn, project: canonicalDsn(dsn), hasUpstream: true };
  const keep = { rateLimits: { of: () => [] }, saveRateLimits: () => {} };
  const { name, upstream } = upstreamDispatcher(readConfig({}), '1.0.0', project, keep, null);
  void upstream.close();
  return name;
}

describe('the name of an upstream', () => {
  it.each([
    ['https://0123456789abcdef@one.example/42', 'upstream one.example/42 01234567'],
    ['http://0123456789abcdef@one.example:9000/42', 'upstream one.example:9000/42 01234567'],
    ['https://0123456789abcdef@one.example/below/42', 'upstream one.example/below/42 01234567'],
  ])('of %s is %s', (dsn, name) => {
    expect(nameOf(dsn)).toBe(name);
  });
});
