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
