import { Pause } from './backoff.ts';

/** A pause on a clock that stands, whose draws are all as given. */
function pauseAt(clock: { nowMs: number }, draw: number): Pause {
  return new Pause(
    () => clock.nowMs,
    () => draw,
  );
}

it('doubles the bound with each failure, from half a second to a minute', () => {
  const pause = pauseAt({ nowMs: 0 }, 1);

  const pauses = Array.from({ length: 10 }, () => {
    pause.failed(null);
    return pause.remainingMs;
  });

  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

it('draws evenly below the bound, and never comes back at once', () => {
  const half = pauseAt({ nowMs: 0 }, 0.5);
  const none = pauseAt({ nowMs: 0 }, 0);
  half.failed(null);
  none.failed(null);

  expect([half.remainingMs, none.remainingMs]).toEqual([250, 50]);
});

it('waits for what the tunnel asked for, and the draw on top of it', () => {
  const pause = pauseAt({ nowMs: 0 }, 1);

  pause.failed(5_000);

  expect(pause.remainingMs).toBe(5_500);
});

it('forgets its guess when somebody comes back, but not what the tunnel asked for', () => {
  const guessed = pauseAt({ nowMs: 0 }, 1);
  const asked = pauseAt({ nowMs: 0 }, 1);
  guessed.failed(null);
  asked.failed(5_000);

  guessed.forgetGuess();
  asked.forgetGuess();

  expect([guessed.remainingMs, asked.remainingMs]).toEqual([0, 5_000]);
});

it('starts from the least pause again after a success', () => {
  const pause = pauseAt({ nowMs: 0 }, 1);
  pause.failed(5_000);
  pause.failed(null);

  pause.succeeded();
  const afterSuccess = pause.remainingMs;
  pause.failed(null);

  expect([afterSuccess, pause.remainingMs]).toEqual([0, 500]);
});

it('ends', () => {
  const clock = { nowMs: 0 };
  const pause = pauseAt(clock, 1);
  pause.failed(null);

  clock.nowMs = 500;

  expect(pause.remainingMs).toBe(0);
});
