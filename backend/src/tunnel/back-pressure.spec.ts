import { parseRateLimits, type RateLimit } from '../envelope/rate-limits.ts';
import { allButErrors, backPressure, type Pressure } from './back-pressure.ts';

const NOW = 1_800_000_000_000;
const calm: Pressure = { fill: 0, upstreamLimits: [], hasUpstream: true, nowMs: NOW };
const limit = (categories: readonly string[], seconds: number, reason: string | null = null): RateLimit => ({
  categories,
  untilMs: NOW + seconds * 1_000,
  reason,
});

/** Returns the categories that a browser stops, as its SDK reads the header. */
function stopped(text: string | null): readonly string[] {
  return parseRateLimits(200, { 'x-sentry-rate-limits': text ?? '' }, NOW).flatMap(
    ({ categories }) => categories,
  );
}

describe('backPressure', () => {
  it('returns no header without a limit while the spool has room', () => {
    expect(backPressure({ ...calm, fill: 0.69 })).toBeNull();
  });

  it('H10: stops replays and profiles from a fill of 0.7', () => {
    expect(backPressure({ ...calm, fill: 0.7 })).toBe(
      '60:replay;profile;profile_chunk:key:errata_backpressure',
    );
  });

  it('H10: stops all telemetry from a fill of 0.85, and leaves errors, feedback and sessions', () => {
    const text = backPressure({ ...calm, fill: 0.85 });

    expect(stopped(text)).toEqual([
      'replay',
      'profile',
      'profile_chunk',
      'log_item',
      'trace_metric',
      'metric',
      'metric_bucket',
      'span',
      'transaction',
    ]);
  });

  it('H10: passes the limits of the upstream on, with the time that is left and their reason', () => {
    const upstreamLimits = [limit(['transaction', 'span'], 30.2, 'quota_exceeded'), limit(['replay'], 5)];

    expect(backPressure({ ...calm, upstreamLimits })).toBe(
      '31:transaction;span:key:quota_exceeded, 5:replay:key:upstream',
    );
  });

  it('H10: never passes on a limit on errors or feedback', () => {
    const upstreamLimits = [limit(['error', 'feedback', 'default'], 60), limit(['error', 'session'], 60)];

    expect(backPressure({ ...calm, upstreamLimits })).toBe('60:session:key:upstream');
  });

  it('H10: passes a limit on everything on as a list without errors, feedback and attachments', () => {
    const categories = stopped(backPressure({ ...calm, upstreamLimits: [limit([], 60)] }));

    expect(categories).toEqual(
      expect.arrayContaining(['replay', 'transaction', 'session', 'monitor', 'log_item']),
    );
    expect(categories).not.toEqual(expect.arrayContaining(['error']));
    expect(categories.some((name) => ['error', 'feedback', 'default', 'attachment'].includes(name))).toBe(
      false,
    );
  });

  it('H10: adds the names that the JavaScript SDKs look up to the right ones', () => {
    const upstreamLimits = [limit(['profile_chunk', 'trace_metric'], 60)];

    expect(stopped(backPressure({ ...calm, upstreamLimits }))).toEqual([
      'profile_chunk',
      'profile',
      'trace_metric',
      'metric',
    ]);
  });

  it('H10: does not pass on an expired limit', () => {
    expect(backPressure({ ...calm, upstreamLimits: [limit(['replay'], 0)] })).toBeNull();
  });

  it('H10: joins limits and pressure in one header', () => {
    const text = backPressure({ ...calm, fill: 0.7, upstreamLimits: [limit(['span'], 10)] });

    expect(text).toBe('10:span:key:upstream, 60:replay;profile;profile_chunk:key:errata_backpressure');
  });

  it('H10: stops everything but stored categories without an upstream', () => {
    const categories = stopped(backPressure({ ...calm, hasUpstream: false }));

    expect(categories).toEqual(expect.arrayContaining(['session', 'transaction', 'replay', 'internal']));
    const kept = ['error', 'feedback', 'default', 'attachment', 'security'];
    expect(categories.filter((name) => kept.includes(name))).toEqual([]);
  });

  it('H10: stops browser reports when there is room only for errors', () => {
    expect(stopped(allButErrors(60, 'full'))).toContain('security');
  });
});
