import { Backoff } from './backoff.ts';

describe('Backoff', () => {
  it('doubles its bound up to the longest pause', () => {
    const backoff = new Backoff({ minMs: 500, maxMs: 60_000 }, () => 1);

    const pauses = Array.from({ length: 9 }, () => backoff.nextMs());

    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('draws each pause between a tenth of the minimum and its bound', () => {
    expect(new Backoff({ minMs: 500, maxMs: 60_000 }, () => 0.5).nextMs()).toBe(250);
    expect(new Backoff({ minMs: 500, maxMs: 60_000 }, () => 0).nextMs()).toBe(50);
  });

  it('starts over after a success', () => {
    const backoff = new Backoff({ minMs: 500, maxMs: 60_000 }, () => 1);

    backoff.nextMs();
    backoff.nextMs();
    backoff.reset();

    expect(backoff.nextMs()).toBe(500);
  });
});
