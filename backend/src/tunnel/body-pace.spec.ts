import { BodyPace } from './body-pace.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A request that waits for its client. */
const RECEIVING = { complete: false, readableLength: 0, isPaused: () => false };

/** Bytes that arrive in each second, for a number of seconds. */
type Arrivals = readonly (readonly [bytes: number, seconds: number])[];

/** Returns the second in which a body is cut, or null. */
function cutAt(arrivals: Arrivals, request = RECEIVING): number | null {
  const pace = new BodyPace();
  const body = pace.watch(request);
  let second = 0;
  let cutIn: number | null = null;
  body.onSlow = () => (cutIn = second);
  for (const [bytes, seconds] of arrivals) {
    for (let done = 0; done < seconds; done += 1) {
      second += 1;
      body.receive(bytes);
      pace.sweep();
    }
  }
  body.end();
  return cutIn;
}

describe('BodyPace', () => {
  it.each<[string, Arrivals, number | null]>([
    ['a silent body', [[0, 60]], 5],
    ['one byte a second', [[1, 60]], 5],
    ['just under 8 KiB a second', [[8 * KIB - 1, 60]], 5],
    ['8 KiB a second', [[8 * KIB, 599]], null],
    ['16 KB a second for 1 MiB', [[16_000, 66]], null],
    ['120 KB a second for 5 MiB', [[120_000, 44]], null],
    [
      'a slow start',
      [
        [0, 4],
        [100 * KIB, 1],
        [8 * KIB, 60],
      ],
      null,
    ],
    [
      'a pause of 9 seconds in a fast body',
      [
        [MIB, 5],
        [0, 9],
        [MIB, 5],
      ],
      null,
    ],
    [
      'a fast body that falls silent',
      [
        [MIB, 5],
        [0, 60],
      ],
      15,
    ],
    [
      'a fast body that drips',
      [
        [64 * KIB, 5],
        [1, 60],
      ],
      41,
    ],
    ['ten minutes', [[32 * KIB, 700]], 600],
  ])('H21: %s: %j is cut in second %j', (_, arrivals, expected) => {
    expect(cutAt(arrivals)).toBe(expected);
  });

  it('does not measure a body while the server has unread bytes of it', () => {
    expect(cutAt([[0, 60]], { ...RECEIVING, readableLength: 1 })).toBeNull();
  });

  it('does not measure a body that the server has paused', () => {
    expect(cutAt([[0, 60]], { ...RECEIVING, isPaused: () => true })).toBeNull();
  });

  it('does not measure a body that has arrived and is still being decoded', () => {
    expect(cutAt([[0, 60]], { ...RECEIVING, complete: true })).toBeNull();
  });

  it('does not cut a body that has ended', () => {
    const pace = new BodyPace();
    const body = pace.watch(RECEIVING);
    let cuts = 0;
    body.onSlow = () => (cuts += 1);

    body.end();
    for (let second = 0; second < 60; second += 1) pace.sweep();

    expect(cuts).toBe(0);
  });

  it('measures a body that begins after another one has ended twice', () => {
    const pace = new BodyPace();
    const ended = pace.watch(RECEIVING);
    ended.end();
    const silent = pace.watch(RECEIVING);
    let cuts = 0;
    silent.onSlow = () => (cuts += 1);

    ended.end();
    for (let second = 0; second < 60; second += 1) pace.sweep();

    expect(cuts).toBe(1);
  });
});
