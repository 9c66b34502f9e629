import { packDeliveries } from '../protocol/packed-deliveries.ts';
import { type EnvelopeRow, pack, unpack } from '../protocol/packed-envelopes.ts';
import type { CommitWork, Committed, ReadyQuery, SettledEnvelope } from '../protocol/spool-messages.ts';
import { NO_SENDER, STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import type { SpoolFile } from './spool-file.ts';

/** Rows and commits for tests of the spool's file, without its thread. */

export const PROJECT = 'https://key@errata.invalid/1';

let number = 0;

/** Returns a row with unique bytes: no two are duplicates. */
export function newRow(changes: Partial<EnvelopeRow> = {}): EnvelopeRow {
  number += 1;
  return {
    id: 0,
    project: PROJECT,
    source: 'tunnel',
    class: 0,
    lifetime: 'error',
    receivedAtMs: Date.now(),
    monotonicAtMs: null,
    eventId: null,
    hasMadeId: false,
    sender: JSON.stringify(NO_SENDER),
    header: Buffer.from('{}'),
    stored: Buffer.from(`{"type":"event"}\n{"number":${number}}`),
    isGzip: false,
    pending: UPSTREAM_BIT,
    itemsHash: null,
    ...changes,
  };
}

/** Returns a row with one item of this type, padded to about so many bytes. */
export function rowOf(type: string, bytes: number, changes: Partial<EnvelopeRow> = {}): EnvelopeRow {
  number += 1;
  const stored = Buffer.from(`{"type":"${type}"}\n{"number":${number},"padding":"${'x'.repeat(bytes)}"}`);
  return newRow({ stored, ...changes });
}

interface Work extends Partial<Omit<CommitWork, 'appends' | 'delivered'>> {
  readonly appends?: readonly EnvelopeRow[];
  readonly delivered?: readonly {
    readonly id: number;
    readonly bits: number;
    readonly digest: string | null;
  }[];
}

export function commit(
  file: SpoolFile,
  { appends = [], delivered = [], ...rest }: Work,
  nowMs?: number,
): Committed {
  const work: CommitWork = {
    appends: pack(appends),
    delivered: packDeliveries(delivered),
    settled: [],
    unwanted: 0,
    discarded: [],
    malformed: [],
    rateLimits: [],
    ...rest,
  };
  return file.commit(work, nowMs);
}

/** Returns the settlement of an envelope that the upstream refused for good. */
export function refusal(id: number): SettledEnvelope {
  const loss = { reason: 'send_error', isReported: true, refusal: { status: 400, detail: 'no' } } as const;
  return { id, bits: UPSTREAM_BIT, fate: 'dead_lettered', loss };
}

/** A query for all rows that a sink has yet to settle. */
export const ALL: ReadyQuery = {
  bit: UPSTREAM_BIT | STORE_BIT,
  project: null,
  pick: {
    from: 'oldest',
    cursors: [0, 0, 0, 0, 0],
    untilId: Number.MAX_SAFE_INTEGER,
    except: [],
    limits: [1e6, 1e6, 1e6, 1e6, 1e6],
    maxBytes: 2 ** 28,
  },
};

/** Reads all rows that the sinks in `bit` have yet to settle. */
export function queued(file: SpoolFile, bit = ALL.bit): readonly EnvelopeRow[] {
  return unpack(file.readyEnvelopes({ ...ALL, bit }).envelopes);
}

export function queuedIds(file: SpoolFile, bit?: number): readonly number[] {
  return queued(file, bit).map(({ id }) => id);
}
