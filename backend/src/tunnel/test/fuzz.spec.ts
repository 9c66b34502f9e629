import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { MalformedBody } from '../../spool/protocol/spool-messages.ts';
import { type NewEnvelope, NO_SENDER } from '../../sink/queued-envelope.ts';
import { AllowList } from '../allow-list.ts';
import { envelope, EVENT_ID, OWN, project, UPSTREAM } from './envelopes.fixture.ts';
import { Intake } from '../intake.ts';
import { TunnelServer } from './tunnel-server.fixture.ts';

/** Number of mutated envelopes; `ERRATA_FUZZ=100000` for a long run, `SEED=7` for other mutations. */
const COUNT = Number(process.env['ERRATA_FUZZ'] ?? 20_000);
const SEED = Number(process.env['SEED'] || 1);

const ALLOWED_OUTCOMES = [
  'accepted',
  'empty',
  'no_upstream',
  'malformed',
  'not_allowed',
  'too_large',
  'rate_limited',
];
const ALLOWED_STATUSES = [200, 400, 403, 413, 415, 429, 503];

/** Seeds of the mutations: every construct of the format. SPLICES are texts that have broken parsers before. */
const SAMPLES = [
  envelope({ dsn: UPSTREAM, event_id: EVENT_ID, sent_at: '2026-11-21T12:00:00Z' }, [
    { type: 'event' },
    '{"a":1}',
  ]),
  envelope({ dsn: OWN }, [{ type: 'session' }, '{}'], [{ type: 'attachment', length: 3 }, 'a\nb']),
  envelope({ dsn: UPSTREAM, trace: { public_key: 'x' } }, [{ type: 'transaction', length: null }, '{}']),
  envelope(
    { dsn: UPSTREAM },
    [{ type: 'client_report' }, '{}'],
    [{ type: 'unknown', odd: [1, { a: 2 }] }, ''],
  ),
  envelope({ dsn: UPSTREAM, event_id: null, sdk: { name: 'x', version: '1' } }),
];
const SPLICES = [
  '\n',
  '\r\n',
  '{',
  '}',
  '[',
  '"',
  '\\',
  '\\u0000',
  '\0',
  '\ufeff',
  '"length":',
  '-1',
  '1e9',
  '99999999999',
  '"dsn":',
  'null',
  '__proto__',
  '\xff\xfe',
  ',"type":1',
  ':',
];

/** Returns a random generator with the same numbers for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

const MUTATIONS: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  (bytes, random) => bytes.subarray(random(bytes.length + 1)),
  (bytes, random) => Buffer.from(bytes).fill(random(256), random(bytes.length + 1)),
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy.writeUInt8(random(256), random(copy.length));
    return copy;
  },
  (bytes, random) => {
    const at = random(bytes.length + 1);
    const splice = Buffer.from(SPLICES[random(SPLICES.length)] ?? '', 'latin1');
    return Buffer.concat([bytes.subarray(0, at), splice, bytes.subarray(at + random(3))]);
  },
  (bytes, random) => {
    const from = random(bytes.length + 1);
    const part = bytes.subarray(from, from + random(80));
    const at = random(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  },
];

function mutated(random: Random): Buffer {
  let bytes = SAMPLES[random(SAMPLES.length)] ?? Buffer.of();
  for (let left = 1 + random(4); left > 0; left -= 1) {
    bytes = MUTATIONS[random(MUTATIONS.length)]?.(bytes, random) ?? bytes;
  }
  return bytes;
}

describe('mutated envelopes', () => {
  it(`S3: ${COUNT} of them (seed ${SEED}) get a verdict, and none gets out of the allow-list`, async () => {
    const random = randomOf(SEED);
    const projects = [project(UPSTREAM, true), project(OWN, false)];
    const appended: NewEnvelope[] = [];
    const malformed: MalformedBody[] = [];
    const intake = new Intake(
      new AllowList(projects, { warn: () => {} }),
      {
        append: (one) => Promise.resolve({ id: appended.push(one), isDuplicate: false, part: 0 }),
        keepMalformed: (one) => malformed.push(one),
        countUnwanted: () => {},
        countThrottled: () => {},
      },
      { commitTimeoutMs: 2_000, largeCommitTimeoutMs: 2_000 },
      () => () => {},
    );
    const outcomes = new Map<string, number>();

    for (let index = 0; index < COUNT; index += 1) {
      const body = mutated(random);
      const { outcome } = await intake.accept(body, {
        credentials: { projectId: random(4) === 0 ? '42' : null, keys: [] },
        sender: NO_SENDER,
        onStored: () => {},
        receivedAtMs: 0,
        isOverRate: random(8) === 0,
        charge: () => 'pass',
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }

    const names = projects.map((one) => one.project);
    expect([...outcomes.keys()].filter((outcome) => !ALLOWED_OUTCOMES.includes(outcome))).toEqual([]);
    // Without these three outcomes the mutations are too weak or too strong.
    expect([...outcomes.keys()].toSorted()).toEqual(
      expect.arrayContaining(['accepted', 'malformed', 'not_allowed']),
    );
    expect(appended.every((one) => names.includes(one.project))).toBe(true);
    expect(malformed.every((one) => names.includes(one.project))).toBe(true);
  });

  it('S3: get only statuses of the protocol, in any encoding and on any path', async () => {
    const random = randomOf(SEED + 1);
    const tunnel = await TunnelServer.start();
    const encodings = [
      ['', (bytes: Buffer) => bytes],
      ['gzip', (bytes: Buffer) => gzipSync(bytes)],
      ['deflate', (bytes: Buffer) => deflateSync(bytes)],
      [
        'gzip',
        (bytes: Buffer, of: Random) => MUTATIONS[of(MUTATIONS.length)]?.(gzipSync(bytes), of) ?? bytes,
      ],
      ['zstd', (bytes: Buffer) => bytes],
      ['br', (bytes: Buffer) => brotliCompressSync(bytes)],
      [
        'br',
        (bytes: Buffer, of: Random) =>
          MUTATIONS[of(MUTATIONS.length)]?.(brotliCompressSync(bytes), of) ?? bytes,
      ],
      ['compress', (bytes: Buffer) => bytes],
    ] as const;
    const paths = [
      '/tunnel',
      '/api/42/envelope/',
      '/api/42/store/?sentry_key=abcdef0123456789abcdef0123456789',
      '/reports',
    ];
    const statuses = new Map<number, number>();

    for (let round = 0; round < COUNT / 200; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => {
          const [encoding, encode] = encodings[random(encodings.length)] ?? encodings[0];
          const path = paths[random(paths.length)] ?? '/tunnel';
          const type = path === '/reports' ? 'application/reports+json' : 'text/plain';
          const headers = { 'Content-Encoding': encoding, 'Content-Type': type };
          return tunnel.send({ path, headers, body: encode(mutated(random), random) });
        }),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }

    expect([...statuses.keys()].filter((status) => !ALLOWED_STATUSES.includes(status))).toEqual([]);
    expect(await tunnel.reservedBytes()).toBe(0);
    await tunnel.stop();
  });
});
