/** How much an envelope matters, 0 most: the order of delivery and, backwards, of shedding. */
const CRITICAL = 0;
const HIGH = 1;
const MEDIUM = 2;
const LOW = 3;
const LOWEST = 4;

/** Sentry's five priorities as the numbers the spool stores. */
export type EnvelopeClass = 0 | 1 | 2 | 3 | 4;

/** Sentry's data categories, as rate limits, client reports and metrics name them. */
export type DataCategory =
  | 'error'
  | 'feedback'
  | 'security'
  | 'attachment'
  | 'session'
  | 'monitor'
  | 'transaction'
  | 'span'
  | 'internal'
  | 'log_item'
  | 'trace_metric'
  | 'metric_bucket'
  | 'profile'
  | 'profile_chunk'
  | 'replay'
  | 'unknown';

interface ItemKind {
  readonly category: DataCategory;
  /** Null: goes with the envelope it is in. */
  readonly class: EnvelopeClass | null;
}

/**
 * What Errata knows of item types. Classes: Sentry's telemetry processor (protocol 3.2); security reports are not
 * critical here, one browser extension sends them by the thousand. Categories: the names Relay gives them
 * (relay-base-schema/src/data_category.rs), since it is Relay that limits.
 *
 * A Map, so that a type `constructor` or `__proto__` is as unknown as any other.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/telemetry-processor/
 */
const KINDS: ReadonlyMap<string, ItemKind> = new Map<string, ItemKind>([
  ['event', { category: 'error', class: CRITICAL }],
  ['unreal_report', { category: 'error', class: CRITICAL }],
  ['feedback', { category: 'feedback', class: CRITICAL }],
  ['user_report', { category: 'feedback', class: CRITICAL }],
  ['session', { category: 'session', class: HIGH }],
  ['sessions', { category: 'session', class: HIGH }],
  ['check_in', { category: 'monitor', class: HIGH }],
  ['transaction', { category: 'transaction', class: MEDIUM }],
  ['span', { category: 'span', class: MEDIUM }],
  ['otel_span', { category: 'span', class: MEDIUM }],
  ['otel_traces_data', { category: 'span', class: MEDIUM }],
  ['client_report', { category: 'internal', class: MEDIUM }],
  ['security', { category: 'security', class: MEDIUM }],
  ['raw_security', { category: 'security', class: MEDIUM }],
  ['log', { category: 'log_item', class: LOW }],
  ['nel', { category: 'log_item', class: LOW }],
  ['otel_log', { category: 'log_item', class: LOW }],
  ['trace_metric', { category: 'trace_metric', class: LOW }],
  ['statsd', { category: 'metric_bucket', class: LOW }],
  ['metric_buckets', { category: 'metric_bucket', class: LOW }],
  ['profile', { category: 'profile', class: LOW }],
  ['profile_chunk', { category: 'profile_chunk', class: LOW }],
  ['replay_event', { category: 'replay', class: LOWEST }],
  ['replay_recording', { category: 'replay', class: LOWEST }],
  ['replay_video', { category: 'replay', class: LOWEST }],
  ['attachment', { category: 'attachment', class: null }],
  ['form_data', { category: 'attachment', class: null }],
]);

/** A type that came after this list: kept and forwarded (protocol E7), in the middle of everything. */
const UNKNOWN: ItemKind = { category: 'unknown', class: MEDIUM };

/** What browsers report by themselves; the tunnel makes these of it. */
const REPORTS: ReadonlySet<string> = new Set(['raw_security', 'nel']);

const FOR_STORE: ReadonlySet<string> = new Set(['event', 'feedback', 'user_report', ...REPORTS]);

/** Types with which Relay gives an envelope an event id where it has none (item.rs, `requires_event`). */
const WITH_EVENT_ID: ReadonlySet<string> = new Set([
  'event',
  'feedback',
  'user_report',
  'transaction',
  'security',
  'raw_security',
  'unreal_report',
  'attachment',
  'form_data',
  'replay_event',
  'profile',
]);

/**
 * Class of an envelope: the highest of its items' (protocol 3.2). Attachments go with the rest; alone they are
 * critical, because they can be a crash dump, and that is an error. No items at all: lowest.
 */
export function classOfItems(types: Iterable<string>): EnvelopeClass {
  let highest: EnvelopeClass | null = null;
  let isEmpty = true;
  for (const type of types) {
    isEmpty = false;
    const own = (KINDS.get(type) ?? UNKNOWN).class;
    if (own !== null && (highest === null || own < highest)) highest = own;
  }
  return highest ?? (isEmpty ? LOWEST : CRITICAL);
}

/** Data category of an item type; one nobody knows is `unknown`, so that no sender can make up label values. */
export function categoryOf(type: string): DataCategory {
  return (KINDS.get(type) ?? UNKNOWN).category;
}

/** Whether the store keeps items of this type: what a person reported, a program threw or a browser saw fail. */
export function isForStore(type: string): boolean {
  return FOR_STORE.has(type);
}

/** Whether items of this type are what a browser reports by itself, which is kept but matters less than an error. */
export function isReport(type: string): boolean {
  return REPORTS.has(type);
}

/** Whether items of this type are errors or feedback: what a rate limit holds back, where it lets all else go. */
export function isCritical(type: string): boolean {
  return KINDS.get(type)?.class === CRITICAL;
}

/**
 * Whether an envelope with an item of this type must have an event id; the tunnel makes one where the header has
 * none, once, so that every try to deliver it carries the same (protocol E14).
 */
export function createsEvent(type: string): boolean {
  return WITH_EVENT_ID.has(type);
}
