import { brotliCompressSync, constants } from 'node:zlib';
import { initSync } from 'brotli-dec-wasm/web';
import { BodyBuffer, type ReadBody } from './body-buffer.ts';
import { BodyMemory, type Reservation } from './body-memory.ts';
import { decodeBrotli } from './brotli.ts';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const WINDOW_OF_16_MIB = {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 1 },
};

const LIMITS = {
  maxBytes: 256 * MIB,
  maxLarge: 8,
  maxLargeOfNetwork: 8,
  waitMs: 120_000,
  maxWaiting: 0,
};

function reserve(): Reservation {
  return new BodyMemory(LIMITS).reserve(null);
}

async function decode(bytes: Buffer, reservation = reserve(), cpuMs?: () => number): Promise<ReadBody> {
  const [sent, body] = [new BodyBuffer(16 * MIB, reservation), new BodyBuffer(20 * MIB, reservation)];
  sent.addNow(bytes);
  return (await decodeBrotli({ sent, body }, cpuMs)) ?? { outcome: 'ok', bytes: body.take() };
}

/** Size of the decoder's memory, which is loaded. */
function memoryBytes(): number {
  return initSync({ module: new Uint8Array() }).memory.buffer.byteLength;
}

/** A clock that each reading moves on. */
function clockOf(stepMs: number): () => number {
  let nowMs = 0;
  return () => (nowMs += stepMs);
}

describe('decodeBrotli', () => {
  it('needs memory for one window, however many bodies come at once', async () => {
    const body = Buffer.alloc(17 * MIB, 'window ');
    const coded = brotliCompressSync(body, WINDOW_OF_16_MIB);

    const decoded = await Promise.all(Array.from({ length: 4 }, () => decode(coded)));

    expect(decoded.map((read) => read.outcome === 'ok' && read.bytes.equals(body))).toEqual(
      Array.from(decoded, () => true),
    );
    expect(memoryBytes()).toBeGreaterThan(16 * MIB);
    expect(memoryBytes()).toBeLessThan(20 * MIB);
  });

  it('decodes and refuses one body after the other in the same memory', async () => {
    const coded = brotliCompressSync(Buffer.alloc(MIB, 'body '), WINDOW_OF_16_MIB);
    const bodies = [coded, coded.subarray(0, -1), Buffer.concat([coded, coded]), Buffer.from('{}'), coded];

    const outcomes: string[] = [];
    for (const each of [...bodies, ...bodies]) outcomes.push((await decode(each)).outcome);

    const expected = ['ok', 'malformed', 'malformed', 'malformed', 'ok'];
    expect(outcomes).toEqual([...expected, ...expected]);
    expect(memoryBytes()).toBeLessThan(20 * MIB);
  });

  it('refuses a large window, which would be allocated', async () => {
    const params = { [constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [constants.BROTLI_PARAM_LGWIN]: 28 };

    expect(await decode(brotliCompressSync(Buffer.alloc(KIB), { params }))).toMatchObject({
      outcome: 'malformed',
    });
  });

  it('refuses a stream that takes more processor time than its decoded bytes can', async () => {
    const codes = codesOnly(400);

    expect(await decode(codes, reserve(), clockOf(10))).toMatchObject({ outcome: 'ok' });
    expect(await decode(codes, reserve(), clockOf(50))).toMatchObject({ detail: /too much time/ });
  });

  it('gives a body more time for each decoded byte', async () => {
    const coded = brotliCompressSync(Buffer.alloc(8 * MIB));

    expect(await decode(coded, reserve(), clockOf(6))).toMatchObject({ outcome: 'ok' });
  });

  it.each([
    ['sent', codesOnly(400)],
    ['decoded', brotliCompressSync(Buffer.alloc(12 * 64 * KIB))],
  ])('gives other work a turn after each slice of the %s body', async (_, coded) => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);

    await decode(coded);
    isDone = true;

    expect(turns).toBeGreaterThan(10);
  });

  it('refuses a body for which there is no room at once, as others wait for the decoder', async () => {
    const memory = new BodyMemory({ ...LIMITS, maxBytes: 4 * MIB });
    const exceeding = memory.reserve(null);
    void exceeding.begin(4 * MIB);
    exceeding.growNow(4 * MIB);

    const read = await decode(brotliCompressSync(Buffer.alloc(4 * MIB)), memory.reserve(null));

    expect(read).toMatchObject({ outcome: 'unavailable' });
  });
});

/** A value and the number of its bits, which a stream has from the lowest one on. */
type Bits = readonly [value: number, width: number];

/** A prefix code with one symbol. */
function codeOf(symbol: number, width: number): readonly Bits[] {
  return [
    [1, 2],
    [0, 2],
    [symbol, width],
  ];
}

/** Meta-blocks of one byte (RFC 7932, 9.2), each with prefix codes for the commands of 256 types of blocks: 459 bytes. */
function codesOnly(metaBlocks: number): Buffer {
  const types: readonly Bits[] = [[1, 1], [7, 3], [127, 7], ...codeOf(0, 9), ...codeOf(0, 5), [0, 2]];
  const commands = Array.from({ length: 256 }, () => codeOf(8, 10)).flat();
  const codes = [...codeOf(97, 8), ...commands, ...codeOf(0, 6)];
  const metaBlock: readonly Bits[] = [[0, 21], ...types, [0, 11], ...codes];
  const parts = [[0, 1], ...Array.from({ length: metaBlocks }, () => metaBlock).flat(), [3, 2]] as const;
  const bits = parts.flatMap(([value, width]) => Array.from({ length: width }, (_, at) => (value >> at) & 1));
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  bits.forEach((bit, at) => (bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7))));
  return bytes;
}
