import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { balanceOf } from '../../outcome/balance.ts';
import { pagesOf, zeroPage } from '../../sqlite/damage.fixture.ts';
import { LEDGER_REASONS } from '../../outcome/outcome.ts';
import { LIMITS } from '../spool.fixture.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, PROJECT, refusal, rowOf } from './spool-file.fixture.ts';

/**
 * After any sequence of actions: accepted = delivered + queued + dead-lettered + expired + dropped + erased.
 * Runs against a real file; `RUNS=1000` for the long form.
 */
const RUNS = Number(process.env['RUNS'] ?? 40);
const SMALL = { ...LIMITS, maxBytes: 2 ** 18 };
const TYPES = ['event', 'session', 'transaction', 'log', 'replay_event'] as const;
const LINES = new Set(
  Object.entries(LEDGER_REASONS).flatMap(([fate, reasons]) => reasons.map((reason) => `${fate} ${reason}`)),
);
const START_MS = Date.UTC(2026, 0, 1);

type Action =
  | {
      readonly kind: 'append';
      readonly envelopeClass: 0 | 1 | 2 | 3 | 4;
      readonly bytes: number;
      readonly count: number;
      readonly pending: number;
    }
  | { readonly kind: 'repeat' }
  | {
      readonly kind: 'deliver';
      readonly which: number;
      readonly bits: number;
      readonly digest: string | null;
    }
  | { readonly kind: 'refuse' | 'dropped' | 'discardItems' | 'erase'; readonly which: number }
  | { readonly kind: 'unwanted' | 'report' | 'redrive' | 'discard' | 'discardWaiting' | 'reopen' }
  | { readonly kind: 'later'; readonly hours: number }
  | { readonly kind: 'damage'; readonly which: number };

const which = fc.nat(500);
const bits = fc.constantFrom(UPSTREAM_BIT, STORE_BIT, UPSTREAM_BIT | STORE_BIT);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append'),
      envelopeClass: fc.constantFrom(0, 1, 2, 3, 4),
      bytes: fc.nat(20_000),
      count: fc.integer({ min: 1, max: 6 }),
      pending: bits,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver'),
      which,
      bits,
      digest: fc.constantFrom(null, 'one', 'two'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('refuse', 'dropped', 'discardItems', 'erase'), which }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('unwanted', 'report', 'redrive', 'discard', 'discardWaiting', 'reopen'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('later'), hours: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('damage'), which }) },
);

/** A spool and the ids that it has assigned. */
class Run {
  readonly #directory = mkdtempSync(join(tmpdir(), 'errata-property-'));
  #file = new SpoolFile(this.#directory, SMALL);
  #nowMs = START_MS;
  #ids: number[] = [];
  #last = rowOf('event', 10);

  do(step: Action): void {
    const file = this.#file;
    switch (step.kind) {
      case 'append': {
        const rows = Array.from({ length: step.count }, () =>
          rowOf(TYPES[step.envelopeClass], step.bytes, {
            class: step.envelopeClass,
            lifetime: step.envelopeClass === 0 ? 'error' : 'other',
            pending: step.pending,
            receivedAtMs: this.#nowMs,
          }),
        );
        this.#last = rows[0] ?? this.#last;
        this.#ids.push(...commit(file, { appends: rows }, this.#nowMs).ids.filter((id) => id > 0));
        return;
      }
      case 'repeat':
        commit(file, { appends: [this.#last] }, this.#nowMs);
        return;
      case 'deliver':
        commit(
          file,
          { delivered: [{ id: this.#id(step.which), bits: step.bits, digest: step.digest }] },
          this.#nowMs,
        );
        return;
      case 'refuse':
        commit(file, { settled: [refusal(this.#id(step.which))] }, this.#nowMs);
        return;
      case 'dropped':
        commit(
          file,
          {
            settled: [
              {
                ...refusal(this.#id(step.which)),
                fate: 'dropped',
                loss: { reason: 'ratelimit_backoff', isReported: true, refusal: null },
              },
            ],
          },
          this.#nowMs,
        );
        return;
      case 'discardItems':
        commit(
          file,
          {
            discarded: [
              {
                project: PROJECT,
                cutFrom: { id: this.#id(step.which), bits: UPSTREAM_BIT },
                reason: 'ratelimit_backoff',
                category: 'session',
                quantity: 1,
              },
            ],
          },
          this.#nowMs,
        );
        return;
      case 'erase':
        file.erase({ from: 'queued', ids: [this.#id(step.which)] }, this.#nowMs);
        file.erase(
          { from: 'dead', ids: file.tables.deadLetters.list(null, 1).map(({ id }) => id) },
          this.#nowMs,
        );
        return;
      case 'unwanted':
        commit(file, { unwanted: 2 }, this.#nowMs);
        return;
      case 'report':
        file.report([PROJECT], this.#nowMs);
        return;
      case 'redrive':
        file.redrive(
          file.tables.deadLetters.list(null, 3).map(({ id }) => id),
          this.#nowMs,
        );
        return;
      case 'discard':
        file.discard(
          file.tables.deadLetters.list(null, 1).map(({ id }) => id),
          this.#nowMs,
        );
        return;
      case 'discardWaiting':
        file.discardWaiting(PROJECT, 0, this.#nowMs);
        return;
      case 'later':
        this.#nowMs += step.hours * 3_600_000;
        file.expire(this.#nowMs);
        return;
      case 'reopen':
        this.#file.close();
        this.#file = new SpoolFile(this.#directory, SMALL);
        return;
      case 'damage': {
        this.#file.close();
        const path = join(this.#directory, 'spool.db');
        const leaves = pagesOf(path, 'leaf');
        zeroPage(path, leaves[step.which % leaves.length]?.page ?? 0);
        this.#file = new SpoolFile(this.#directory, SMALL, undefined, true);
      }
    }
  }

  /** Returns the violated invariants. */
  faults(): readonly string[] {
    const { ledger, queued, fill, classes } = this.#file.counts();
    const sums = balanceOf(ledger, queued);
    const bytes = classes.reduce((sum, one) => sum + one.bytes, 0);
    const faults: string[] = [];
    if (sums.missing !== 0) faults.push(`missing ${sums.missing}`);
    if (Object.values(sums).some((count) => count < 0)) faults.push(`below zero: ${JSON.stringify(sums)}`);
    if (Math.abs(fill - bytes / SMALL.maxBytes) > 1e-9) faults.push(`fill ${fill} of ${bytes} bytes`);
    if (fill > 1) faults.push(`over the cap: ${fill}`);
    for (const { fate, reason } of ledger) {
      if (!LINES.has(`${fate} ${reason}`)) faults.push(`unknown line: ${fate} ${reason}`);
    }
    return faults;
  }

  end(): void {
    this.#file.close();
    rmSync(this.#directory, { recursive: true });
  }

  #id(index: number): number {
    return this.#ids[index % Math.max(1, this.#ids.length)] ?? 0;
  }
}

it('the ledger balances after every step of any history', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 60 }), (steps) => {
      const run = new Run();
      try {
        for (const step of steps) {
          run.do(step);
          expect(run.faults()).toEqual([]);
        }
      } finally {
        run.end();
      }
    }),
    { numRuns: RUNS },
  );
});
