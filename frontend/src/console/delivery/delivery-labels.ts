import { ownLabel } from '../../ui/format/own-label.ts';

/** By number, 0 the most important (envelope/envelope-class.ts). */
const CLASSES = [
  'Errors and feedback',
  'Sessions and check-ins',
  'Transactions and spans',
  'Logs and profiles',
  'Replays',
];

/** All classes of the spool. */
export const CLASS_NUMBERS: readonly number[] = [...CLASSES.keys()];

export function className(envelopeClass: number): string {
  return CLASSES[envelopeClass] ?? `Class ${envelopeClass}`;
}

const CATEGORIES: Readonly<Record<string, string>> = {
  // A limit on every category.
  all: 'items',
  error: 'errors',
  feedback: 'feedback',
  security: 'security reports',
  attachment: 'attachments (bytes)',
  session: 'sessions',
  monitor: 'check-ins',
  transaction: 'transactions',
  span: 'spans',
  internal: 'client reports',
  log_item: 'logs',
  trace_metric: 'metrics',
  metric_bucket: 'metrics',
  profile: 'profiles',
  profile_chunk: 'profiles',
  replay: 'replays',
};

export function categoryLabel(category: string): string {
  return ownLabel(CATEGORIES, category) ?? category.replaceAll('_', ' ');
}

export interface SinkName {
  /** Host and project, or the name of another sink. */
  readonly place: string;
  /** First characters of the key, which differ between two DSNs of one project; null where there is none. */
  readonly key: string | null;
}

/** Splits a sink's name, `upstream sentry.example/42 0123abcd`, as relay and metrics write it. */
export function sinkName(name: string): SinkName {
  if (name === 'store') return { place: 'Local store', key: null };
  const [, place, key] = /^upstream (\S+) (\S+)$/.exec(name) ?? [];
  return { place: place ?? name, key: key ?? null };
}
