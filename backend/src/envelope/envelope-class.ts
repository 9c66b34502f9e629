/** The highest priority of an envelope, for errors and feedback. */
export const CRITICAL = 0;
const HIGH = 1;
const MEDIUM = 2;
const LOW = 3;
const LOWEST = 4;

/**
 * Sentry's five priorities, as the numbers that the spool stores, 0 first: the order of delivery, and in reverse the order
 * of eviction.
 */
export type EnvelopeClass = 0 | 1 | 2 | 3 | 4;

/** Sentry's data categories, as in rate limits, client reports and metrics. */
export const DATA_CATEGORIES = [
  'error',
  'feedback',
  'security',
  'attachment',
  'session',
  'monitor',
  'transaction',
  'span',
  'internal',
  'log_item',
  'trace_metric',
  'metric_bucket',
  'profile',
  'profile_chunk',
  'replay',
  'unknown',
] as const;

export type DataCategory = (typeof DATA_CATEGORIES)[number];

interface ItemKind {
  readonly category: DataCategory;
  /** Null: the item has the class of its envelope. */
  readonly class: EnvelopeClass | null;
}

/**
 * The known item types. Classes: Sentry's telemetry processor (protocol L1); security reports are not critical here,
 * because one browser extension sends them by the thousand. Categories: Relay's names
 * (relay-base-schema/src/data_category.rs), because Relay applies the rate limits.
 *
 * A Map and no object, so that the types `constructor` and `__proto__` are unknown ones.
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

/** A type that is newer than this list: stored and forwarded (protocol E7) with medium priority. */
const UNKNOWN: ItemKind = { category: 'unknown', class: MEDIUM };

/** Types that the tunnel makes of browser reports. */
const REPORTS: ReadonlySet<string> = new Set(['raw_security', 'nel']);

const FOR_STORE: ReadonlySet<string> = new Set(['event', 'feedback', 'user_report', ...REPORTS]);

/**
 * Types that create an event of their own, of which Relay accepts one in an envelope. Attachments, profiles and replays belong
 * to an event.
 */
const EVENTS: ReadonlySet<string> = new Set([
  'event',
  'feedback',
  'user_report',
  'transaction',
  'security',
  'unreal_report',
]);

/** Types for which Relay adds an event id to an envelope without one (item.rs, `requires_event`). */
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
 * Returns the class of an envelope: the highest class of its items (protocol L1). Attachments have the class of the
 * other items; alone they are critical, because they can be a crash dump, which is an error. Without items it is
 * the lowest.
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

/** Returns the data category of an item type; `unknown` for any other, so that no client can invent metric labels. */
export function categoryOf(type: string): DataCategory {
  return (KINDS.get(type) ?? UNKNOWN).category;
}

/** The members of an item that decide which sinks want it. */
export interface TypedItem {
  readonly type: string;
  /** Kind of an attachment; null or absent for other items. */
  readonly attachmentType?: string | null;
}

/** Returns whether the store keeps an item: an error, feedback, a browser report or, without its bytes, a minidump. */
export function isForStore(item: TypedItem): boolean {
  return FOR_STORE.has(item.type) || isMinidump(item);
}

/** Returns whether an item is the dump of a crash. Relay makes an event of one that comes alone (item.rs, `creates_event`). */
export function isMinidump({ type, attachmentType }: TypedItem): boolean {
  return type === 'attachment' && attachmentType === 'event.minidump';
}

/** Returns whether items of this type are browser reports, which are stored but have a lower priority than errors. */
export function isReport(type: string): boolean {
  return REPORTS.has(type);
}

/** Returns whether items of this type are errors or feedback: a rate limit delays them, and drops all other items. */
export function isCritical(type: string): boolean {
  return KINDS.get(type)?.class === CRITICAL;
}

/**
 * Returns whether an envelope with an item of this type needs an event id. The tunnel adds a missing one, so that each
 * attempt to deliver the envelope has the same id (protocol E14).
 */
export function createsEvent(type: string): boolean {
  return WITH_EVENT_ID.has(type);
}

/** How many events an envelope creates, and how many browser reports it has. */
export interface EventCount {
  readonly events: number;
  readonly reports: number;
}

export function countEvents(types: readonly string[]): EventCount {
  let events = 0;
  let reports = 0;
  for (const type of types) {
    if (EVENTS.has(type)) events++;
    else if (REPORTS.has(type)) reports++;
  }
  return { events, reports };
}
