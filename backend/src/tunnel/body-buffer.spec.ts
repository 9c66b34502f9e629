import { BodyBuffer } from './body-buffer.ts';
import { BodyMemory } from './body-memory.ts';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

describe('BodyBuffer', () => {
  const reservation = () =>
    new BodyMemory({
      maxBytes: 32 * MIB,
      maxLarge: 1,
      maxLargeOfNetwork: 1,
      waitMs: 120_000,
      maxWaiting: 0,
    }).reserve(null);
  const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251));

  it('uses a body in one chunk as it is', () => {
    const body = new BodyBuffer(MIB, reservation(), 100);
    const chunk = bytesOf(100);
    void body.add(chunk);

    expect(body.take()).toBe(chunk);
  });

  it.each([
    ['with a length', 200 * KIB],
    ['without a length', null],
  ])('joins chunks of any size %s', (_, declaredBytes) => {
    const whole = bytesOf(200 * KIB);
    const body = new BodyBuffer(MIB, reservation(), declaredBytes);
    for (let at = 0; at < whole.length; at += 777) void body.add(whole.subarray(at, at + 777));

    expect(body.take().equals(whole)).toBe(true);
  });

  it('charges twice the bytes that have arrived at most, and no more than the declared length', () => {
    const charged = reservation();
    const body = new BodyBuffer(MIB, charged, 300 * KIB);
    const steps = Array.from({ length: 30 }, () => {
      void body.add(bytesOf(10 * KIB));
      return charged.bytes / KIB;
    });

    expect(steps[0]).toBe(10);
    expect(new Set(steps.slice(1))).toEqual(new Set([64, 128, 256, 300]));
  });

  it('rejects a chunk over the limit and one without memory', () => {
    const over = new BodyBuffer(100, reservation());
    void over.add(bytesOf(60));
    const closed = reservation();
    closed.release();

    expect(over.add(bytesOf(41))).toEqual({ outcome: 'too_large', detail: 'body exceeds 100 bytes' });
    expect(new BodyBuffer(MIB, closed).add(bytesOf(1))).toMatchObject({ outcome: 'unavailable' });
  });

  it('adds a chunk when there is room for it, or refuses it where it may not wait', async () => {
    const memory = new BodyMemory({
      maxBytes: MIB,
      maxLarge: 2,
      maxLargeOfNetwork: 2,
      waitMs: 120_000,
      maxWaiting: 0,
    });
    const [exceeding, waiting] = [memory.reserve(null), memory.reserve(null)];
    for (const each of [exceeding, waiting]) void each.begin(MIB);
    exceeding.growNow(800 * KIB);
    const body = new BodyBuffer(MIB, waiting);

    const refused = body.addNow(bytesOf(100 * KIB));
    const added = body.add(bytesOf(100 * KIB));
    exceeding.release();

    expect(refused).toMatchObject({ outcome: 'unavailable' });
    expect(await added).toBeUndefined();
    expect(body.take().equals(bytesOf(100 * KIB))).toBe(true);
    expect(waiting.bytes).toBe(100 * KIB);
  });

  it('keeps nothing of a body that was dropped', () => {
    const body = new BodyBuffer(MIB, reservation());
    void body.add(bytesOf(60));
    void body.add(bytesOf(60));

    body.drop();

    expect(body.take()).toHaveLength(0);
  });
});
