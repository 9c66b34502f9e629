import type { FindReading } from '@errata/backend/contract/find-api.ts';
import { Facts } from '../../ui/facts.tsx';
import { FindExamples } from './find-examples.tsx';
import styles from './find-page.module.css';

type Kind = readonly [name: string, forms: string, readings: readonly FindReading[]];

const KINDS: readonly Kind[] = [
  ['Digest, reference', 'The first four characters of a digest are enough.', ['digest', 'reference']],
  ['Event ID', '32 hex characters, or the first eight.', ['event_id']],
  ['Trace ID', 'Alone, or in a header line.', ['trace_id']],
  ['Request ID', 'Alone, or behind the name of its header.', ['request_id']],
  ['User', 'Email, username, ID or name.', ['user']],
  ['URL', 'A host, a path or its beginning.', ['url']],
  ['Release', 'Its name, or the version in it.', ['release']],
  [
    'Environment, server, browser, tag',
    'Behind its name: browser:"safari 18", tag:plan:gold.',
    ['environment', 'server'],
  ],
  [
    'Your own code',
    'An order number, or any code in the first 12 tags, the fingerprint, the message or the extra data; none in a query string, a body or a breadcrumb.',
    ['tag'],
  ],
  ['Message', 'Any words; in quotation marks the exact ones.', ['text']],
  [
    'Level, status, time',
    'level:fatal, is:new, is:regressed, last:24h, at:2026-11-28T14 (UTC). A minus excludes: -user:ann, -word.',
    [],
  ],
];

/** Lists what can be pasted, each kind with values of the newest events. */
export function FindHelp() {
  return (
    <div className={styles.kinds}>
      <Facts
        facts={KINDS.map(([name, forms, readings]) => [
          name,
          <span key={name} className={styles.forms}>
            {forms} <FindExamples kinds={readings} />
          </span>,
        ])}
      />
    </div>
  );
}
