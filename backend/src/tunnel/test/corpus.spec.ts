import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readEnvelopeHeader } from '../../envelope/envelope-header.ts';
import { canonicalDsn, parseDsn } from '../../envelope/dsn.ts';
import { project } from './envelopes.fixture.ts';
import { type TestResponse, bytesOf, type TestRequest, TunnelServer } from './tunnel-server.fixture.ts';

/** A folder of recorded requests; its index.json has the headers and the expected status of each one. Optional. */
const corpus = process.env['ERRATA_CORPUS'];

interface RequestSample {
  readonly file: string;
  readonly expect?: string;
  readonly content_type?: string;
  readonly http?: {
    readonly url?: string;
    readonly content_type?: string | null;
    readonly content_encoding?: string | null;
    readonly transfer_encoding?: string | null;
    readonly x_sentry_auth?: boolean;
  };
}

const KEY = 'abcdefabcdefabcdefabcdefabcdef12';
const ALLOWED = `https://${KEY}@o1.ingest.sentry.io/42`;

const EXPECTED: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^403\/400/, [403, 400]],
  [/^(?:accept|forward)/, [200]],
  // A request without a DSN of its own gets 403.
  [/^reject/, [400, 403]],
  [/^implementation-defined/, [200, 400]],
  [/^4\d\d/, []],
];

/** Returns the statuses that the index allows for a sample. */
function expected({ expect: text = 'accept' }: RequestSample): readonly number[] {
  const [, statuses = []] = EXPECTED.find(([pattern]) => pattern.test(text)) ?? [];
  return statuses.length > 0 ? statuses : [Number.parseInt(text, 10)];
}

function dsnOf(bytes: Buffer): string | undefined {
  const read = readEnvelopeHeader(bytes);
  const dsn = read.outcome === 'ok' && read.header.dsn !== null ? parseDsn(read.header.dsn) : undefined;
  return dsn === undefined ? undefined : canonicalDsn(dsn);
}

/** Returns the recorded request. The corpus holds compressed bodies decoded, so they are compressed again. */
function requestOf({ file, content_type: type, http = {} }: RequestSample, bytes: Buffer): TestRequest {
  const isReport = file.startsWith('reports/');
  const encoding = http.content_encoding ?? undefined;
  const isEncoded = file.startsWith('encoding/');
  const body = encoding === 'gzip' && !isEncoded ? gzipSync(bytes) : bytes;
  const sentType = http.content_type ?? type;
  const headers = {
    ...(sentType === undefined ? {} : { 'Content-Type': sentType }),
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    ...(http.x_sentry_auth === true || file.endsWith('.store.json')
      ? { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${KEY}` }
      : {}),
  };
  const path = isReport ? '/reports' : http.url?.startsWith('/api/') === true ? http.url : '/tunnel';
  return http.transfer_encoding === 'chunked' ? { path, headers, chunks: [body] } : { path, headers, body };
}

if (corpus === undefined) {
  describe('the corpus through the tunnel', () => {
    it('is not sent, since ERRATA_CORPUS names no folder', () => {
      expect(corpus).toBeUndefined();
    });
  });
} else {
  const { files }: { readonly files: readonly RequestSample[] } = JSON.parse(
    readFileSync(join(corpus, 'index.json'), 'utf8'),
  );
  const bytesOfSample = ({ file }: RequestSample) => readFileSync(join(corpus, file));
  const isAccepted = (sample: RequestSample) => expected(sample)[0] === 200;

  describe('the corpus through the tunnel', () => {
    /** Allows one DSN only. */
    let strict: TunnelServer;
    /** Allows the DSN of every sample that is to be accepted. */
    let wide: TunnelServer;

    beforeAll(async () => {
      const dsns = files.filter(isAccepted).map((sample) => dsnOf(bytesOfSample(sample)));
      const known = new Set([ALLOWED, ...dsns.filter((dsn) => dsn !== undefined)]);
      strict = await TunnelServer.start({ projects: [project(ALLOWED, true)] });
      wide = await TunnelServer.start({ projects: [...known].map((dsn) => project(dsn, true)) });
    });

    afterAll(async () => {
      await strict.stop();
      await wide.stop();
    });

    const serverFor = (sample: RequestSample): TunnelServer =>
      isAccepted(sample) && dsnOf(bytesOfSample(sample)) !== undefined ? wide : strict;
    const send = (sample: RequestSample): Promise<TestResponse> =>
      serverFor(sample).send(requestOf(sample, bytesOfSample(sample)));

    it('has every file of its index', () => {
      expect(files.filter(({ file }) => !existsSync(join(corpus, file)))).toEqual([]);
    });

    it.each(files)('answers $file as the index says: $expect', async (sample) => {
      const answer = await send(sample);

      expect(expected(sample)).toContain(answer.status);
    });

    it.each(files.filter((sample) => expected(sample).join() === '200' && sample.file.endsWith('.envelope')))(
      'E1, E16: keeps the items of $file byte for byte',
      async (sample) => {
        const bytes = bytesOfSample(sample);
        const items = bytes.subarray(bytes.indexOf('\n') + 1);
        const isEmpty = items.toString('latin1').trim() === '' || !bytes.includes('\n');

        await send(sample);
        const rows = await serverFor(sample).queued();

        expect(
          rows.some((row) =>
            bytesOf(row)
              .subarray(row.header.length + 1)
              .equals(items),
          ),
        ).toBe(!isEmpty);
      },
    );
  });
}
