import type { DeliveryCause, DeliveryVerdict } from '../../contract/delivery-api.ts';
import { keyStart, projectName } from '../../contract/project-name.ts';
import type { RateLimit } from '../../envelope/rate-limits.ts';
import type { SinkReport } from '../../relay/relay.ts';
import type { RejectingCause, SpoolCounts } from '../../spool/protocol/spool-messages.ts';
import { isoTime } from '../../time/iso.ts';

/** A destination that accepts nothing for so long needs an operator: a restart of an upstream takes less. */
const ACTION_AFTER_MS = 5 * 60_000;

/** Worst first: counters that disagree are a bug, rejected errors are lost now, queued ones expire in days. */
const KINDS: readonly DeliveryCause['kind'][] = [
  'unequal',
  'rejecting',
  'paused',
  'stranded',
  'failing',
  'limited',
];

/** State of the deliveries. `stranded` and `missing` come from the spool's thread, all else from memory. */
export interface DeliveryFacts {
  readonly sinks: readonly JudgedSink[];
  readonly rejecting: RejectingCause | null;
  /** Envelopes that wait for DSNs which are not in the settings. */
  readonly stranded?: SpoolCounts['forUpstreams'];
  readonly missing?: number;
}

/** A sink and its rate limits. */
export interface JudgedSink extends Omit<SinkReport, 'name' | 'project' | 'lastDeliveredMs'> {
  readonly limits: readonly Pick<RateLimit, 'categories' | 'untilMs'>[];
}

const NOTHING = { place: null, key: null, reason: null, since: null, until: null, envelopes: null } as const;

/**
 * Decides whether events move, wait, or need an operator. Dead letters and expired items do not count: no operator can undo
 * them, and they have alerts.
 *
 * @param nowMs by the same clock as the times of the sinks.
 */
export function verdictOf(facts: DeliveryFacts, nowMs: number): DeliveryVerdict {
  const { sinks, rejecting, stranded = [], missing = 0 } = facts;
  const all: DeliveryCause[] = sinks.flatMap((sink) => causeOf(sink, nowMs) ?? limitOf(sink) ?? []);
  if (rejecting !== null) all.push({ ...NOTHING, kind: 'rejecting', level: 'action', reason: rejecting });
  for (const { project, envelopes } of stranded)
    all.push({
      ...NOTHING,
      kind: 'stranded',
      level: 'action',
      place: projectName(project),
      key: keyStart(project),
      envelopes,
    });
  if (missing !== 0) all.push({ ...NOTHING, kind: 'unequal', level: 'action', envelopes: missing });
  const causes = all.toSorted((one, other) => rankOf(one) - rankOf(other));
  return { level: causes[0]?.level ?? 'moving', causes };
}

/** Returns why a sink accepts nothing. One that failed once, and for which nothing waits, may be well by now. */
function causeOf(sink: JudgedSink, nowMs: number): DeliveryCause | undefined {
  const { state, sinceMs, reason, rejections, nextAttemptMs, place, key } = sink;
  if (!sink.isWaiting || sinceMs === undefined) return undefined;
  const until = nextAttemptMs === undefined ? null : isoTime(nextAttemptMs);
  const cause = { ...NOTHING, place, key, reason, since: isoTime(sinceMs), until };
  if (state !== 'paused')
    return { ...cause, kind: 'failing', level: nowMs - sinceMs < ACTION_AFTER_MS ? 'queued' : 'action' };
  const status = rejections?.status ?? null;
  return {
    ...cause,
    kind: 'paused',
    level: 'action',
    ...(status !== null && { reason: `status_${status}` }),
  };
}

/** Categories for which envelopes wait; of others a limited item is dropped. See applyLimits. */
const HELD: ReadonlySet<string> = new Set(['error', 'default', 'feedback']);

/** Returns the limit of a sink for which errors or feedback wait. */
function limitOf({ place, key, limits, isLimited }: JudgedSink): DeliveryCause | undefined {
  const holding = limits.filter(
    ({ categories }) => categories.length === 0 || categories.some((one) => HELD.has(one)),
  );
  if (!isLimited || holding.length === 0) return undefined;
  const until = isoTime(Math.max(...holding.map(({ untilMs }) => untilMs)));
  return { ...NOTHING, kind: 'limited', level: 'queued', place, key, until };
}

function rankOf({ level, kind }: DeliveryCause): number {
  return KINDS.indexOf(kind) + (level === 'action' ? 0 : KINDS.length);
}
