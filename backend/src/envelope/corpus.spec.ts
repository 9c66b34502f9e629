import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalDsn, parseDsn } from './dsn.ts';
import { readEnvelopeHeader } from './envelope-header.ts';
import { findOversized } from './item-limits.ts';
import { scanItems } from './items.ts';

/** A folder of recorded envelopes; its index.json has the expected result of each one. Optional. */
const corpus = process.env['ERRATA_CORPUS'];

interface EnvelopeSample {
  readonly file: string;
  readonly expect?: string;
  readonly has_dsn?: boolean;
  readonly has_event_id?: boolean;
  readonly item_types?: readonly string[];
}

const ALLOWED = 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/42';

type ScanVerdict = 'ok' | 'no_dsn' | 'no_such_dsn' | 'not_allowed' | 'malformed' | 'too_large';

/** Returns the tunnel's decision if only `ALLOWED`, or any DSN, is allowed. */
function judge(body: Buffer, isAnyAllowed: boolean): ScanVerdict {
  const read = readEnvelopeHeader(body);
  if (read.outcome !== 'ok') return read.outcome;
  const scan = scanItems(body, read.itemsStart);
  if (scan.outcome !== 'ok') return scan.outcome;
  if (findOversized(scan.items) !== undefined) return 'too_large';
  if (read.header.dsn === null) return 'no_dsn';
  const dsn = parseDsn(read.header.dsn);
  if (dsn === undefined) return 'no_such_dsn';
  return isAnyAllowed || canonicalDsn(dsn) === ALLOWED ? 'ok' : 'not_allowed';
}

function typesOf(body: Buffer): readonly string[] | undefined {
  const read = readEnvelopeHeader(body);
  if (read.outcome !== 'ok') return undefined;
  const scan = scanItems(body, read.itemsStart);
  return scan.outcome === 'ok' ? scan.items.map(({ type }) => type) : undefined;
}

if (corpus === undefined) {
  describe('the corpus of recorded envelopes', () => {
    it('is not read, since ERRATA_CORPUS names no folder', () => {
      expect(corpus).toBeUndefined();
    });
  });
} else {
  const { files }: { readonly files: readonly EnvelopeSample[] } = JSON.parse(
    readFileSync(join(corpus, 'index.json'), 'utf8'),
  );
  const read = (sample: EnvelopeSample) => readFileSync(join(corpus, sample.file));
  const envelopes = files.filter(({ file }) => file.endsWith('.envelope'));
  const expecting = (pattern: RegExp) => envelopes.filter((sample) => pattern.test(sample.expect ?? ''));
  const accepted = envelopes.filter(({ expect: text = 'accept' }) => /^(?:accept|forward)/.test(text));

  describe('the corpus of recorded envelopes', () => {
    it.each(accepted)('E1–E18: accepts $file', (sample) => {
      expect(['ok', 'no_dsn']).toContain(judge(read(sample), true));
    });

    it.each(accepted)('E4–E7: finds the items of $file', (sample) => {
      expect(typesOf(read(sample))).toEqual(sample.item_types);
    });

    it.each(accepted)('A1, E14: finds DSN and event id of $file', (sample) => {
      const header = readEnvelopeHeader(read(sample));

      const found = header.outcome === 'ok' ? header.header : undefined;
      expect(typeof found?.dsn === 'string').toBe(sample.has_dsn);
      expect(typeof found?.eventId === 'string').toBe(sample.has_event_id);
    });

    it.each(expecting(/^(?:reject|400)/))('E5–E14: rejects $file', (sample) => {
      expect(['malformed', 'no_dsn', 'no_such_dsn']).toContain(judge(read(sample), true));
    });

    it.each(expecting(/^413/))('H5: finds $file too large', (sample) => {
      expect(judge(read(sample), true)).toBe('too_large');
    });

    it.each(expecting(/^403\/400/))('A6: does not allow $file', (sample) => {
      expect(['not_allowed', 'no_such_dsn']).toContain(judge(read(sample), false));
    });

    it.each(expecting(/^403$/))('A6: does not allow $file, or it has no DSN', (sample) => {
      expect(['not_allowed', 'no_dsn']).toContain(judge(read(sample), false));
    });

    it.each(expecting(/^implementation-defined/))('E9: has one answer to $file', (sample) => {
      expect(['ok', 'malformed']).toContain(judge(read(sample), true));
    });
  });
}
