import { Backoff } from './backoff.ts';

/** A backoff on a stopped clock, with a fixed random number. */
function backoffAt(clock: { nowMs: number }, draw: number): Backoff {
  return new Backoff(
    () => clock.nowMs,
    () => draw,
  );
}

it('doubles the bound with each failure, from half a second to a minute', () => {
  const backoff = backoffAt({ nowMs: 0 }, 1);

  const pauses = Array.from({ length: 10 }, () => {
    backoff.failed(null);
    return backoff.remainingMs;
  });

  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

it('draws evenly below the bound, and never retries at once', () => {
  const half = backoffAt({ nowMs: 0 }, 0.5);
  const none = backoffAt({ nowMs: 0 }, 0);
  half.failed(null);
  none.failed(null);

  expect([half.remainingMs, none.remainingMs]).toEqual([250, 50]);
});

it('adds the random delay to the Retry-After of the tunnel', () => {
  const backoff = backoffAt({ nowMs: 0 }, 1);

  backoff.failed(5_000);

  expect(backoff.remainingMs).toBe(5_500);
});

it('drops its own delay when the page comes back, but keeps the Retry-After', () => {
  const guessed = backoffAt({ nowMs: 0 }, 1);
  const asked = backoffAt({ nowMs: 0 }, 1);
  guessed.failed(null);
  asked.failed(5_000);

  guessed.forgetBackoff();
  asked.forgetBackoff();

  expect([guessed.remainingMs, asked.remainingMs]).toEqual([0, 5_000]);
});

it('starts from the shortest delay again after a success', () => {
  const backoff = backoffAt({ nowMs: 0 }, 1);
  backoff.failed(5_000);
  backoff.failed(null);

  backoff.succeeded();
  const afterSuccess = backoff.remainingMs;
  backoff.failed(null);

  expect([afterSuccess, backoff.remainingMs]).toEqual([0, 500]);
});

it('ends', () => {
  const clock = { nowMs: 0 };
  const backoff = backoffAt(clock, 1);
  backoff.failed(null);

  clock.nowMs = 500;

  expect(backoff.remainingMs).toBe(0);
});
