import { RetryDelay } from './retry-delay.ts';

/** A retry delay on a stopped clock, with a fixed random number. */
function retryDelayAt(clock: { nowMs: number }, draw: number): RetryDelay {
  return new RetryDelay(
    () => clock.nowMs,
    () => draw,
  );
}

it('doubles the bound with each failure, from half a second to a minute', () => {
  const retryDelay = retryDelayAt({ nowMs: 0 }, 1);

  const pauses = Array.from({ length: 10 }, () => {
    retryDelay.failed(null);
    return retryDelay.remainingMs;
  });

  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

it('draws evenly below the bound, and never retries at once', () => {
  const half = retryDelayAt({ nowMs: 0 }, 0.5);
  const none = retryDelayAt({ nowMs: 0 }, 0);
  half.failed(null);
  none.failed(null);

  expect([half.remainingMs, none.remainingMs]).toEqual([250, 50]);
});

it('adds the random delay to the Retry-After of the tunnel', () => {
  const retryDelay = retryDelayAt({ nowMs: 0 }, 1);

  retryDelay.failed(5_000);

  expect(retryDelay.remainingMs).toBe(5_500);
});

it('drops its own delay when the page comes back, but keeps the Retry-After', () => {
  const guessed = retryDelayAt({ nowMs: 0 }, 1);
  const asked = retryDelayAt({ nowMs: 0 }, 1);
  guessed.failed(null);
  asked.failed(5_000);

  guessed.forgetDelay();
  asked.forgetDelay();

  expect([guessed.remainingMs, asked.remainingMs]).toEqual([0, 5_000]);
});

it('starts from the shortest delay again after a success', () => {
  const retryDelay = retryDelayAt({ nowMs: 0 }, 1);
  retryDelay.failed(5_000);
  retryDelay.failed(null);

  retryDelay.succeeded();
  const afterSuccess = retryDelay.remainingMs;
  retryDelay.failed(null);

  expect([afterSuccess, retryDelay.remainingMs]).toEqual([0, 500]);
});

it('ends', () => {
  const clock = { nowMs: 0 };
  const retryDelay = retryDelayAt(clock, 1);
  retryDelay.failed(null);

  clock.nowMs = 500;

  expect(retryDelay.remainingMs).toBe(0);
});
