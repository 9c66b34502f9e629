import type { DeliveryState, QueuedClass } from '@errata/backend/contract/delivery-api.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { formatBytes } from '../../ui/format/bytes.ts';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Section } from '../../ui/section.tsx';
import { CLASS_NUMBERS, className } from './delivery-labels.ts';
import styles from './delivery-page.module.css';

/**
 * From this fill on, classes of lower priority are evicted first (docs/architecture.md, eviction and back-pressure).
 */
const SHARE_OF_ALL_CLASSES = 0.4;
const SHARE_OF_SESSIONS = 0.9;

function toneOf(fill: number): 'plain' | 'warn' | 'bad' {
  if (fill >= SHARE_OF_SESSIONS) return 'bad';
  return fill >= SHARE_OF_ALL_CLASSES ? 'warn' : 'plain';
}

function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

/** Returns the oldest time; ISO times in UTC sort as text. */
function oldestOf(classes: readonly QueuedClass[]): string | null {
  return classes.flatMap(({ oldest }) => (oldest === null ? [] : [oldest])).toSorted()[0] ?? null;
}

/** Adds empty classes, which the server leaves out: a table that changes its size every few seconds is hard to read. */
function allClasses(classes: readonly QueuedClass[]): readonly QueuedClass[] {
  const missing = CLASS_NUMBERS.filter((number) => classes.every((queued) => queued.class !== number));
  const empty = missing.map((number) => ({ class: number, envelopes: 0, bytes: 0, oldest: null }));
  return [...classes, ...empty].toSorted((one, other) => one.class - other.class);
}

function Classes({ classes }: { readonly classes: readonly QueuedClass[] }) {
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>Queue by priority</caption>
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col" className={styles.number}>
            Queued
          </th>
          <th scope="col" className={styles.number}>
            Size
          </th>
          <th scope="col" className={styles.number}>
            Oldest
          </th>
        </tr>
      </thead>
      <tbody>
        {allClasses(classes).map(({ class: number, envelopes, bytes, oldest }) => (
          <tr key={number} className={envelopes === 0 ? styles.tableNone : undefined}>
            <th scope="row">{className(number)}</th>
            <td className={styles.number}>{formatCount(envelopes)}</td>
            <td className={styles.number}>{envelopes === 0 ? '–' : formatBytes(bytes)}</td>
            <td className={styles.number}>{oldest === null ? '–' : <TimeText time={oldest} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows the disk usage of the spool and its classes. */
export function DeliverySpool({ state }: { readonly state: DeliveryState }) {
  const { bytes, maxBytes, fill, classes } = state;
  const oldest = oldestOf(classes);
  const size = `${formatBytes(bytes)} of ${formatBytes(maxBytes)} (${percent(fill)})`;
  return (
    <Section title="Queue on disk">
      <div className={styles.spool}>
        <Meter label="Disk used" share={fill} text={size} tone={toneOf(fill)} />
        <p className={styles.text}>
          <span>{size}</span>
          <span>
            {oldest === null ? (
              'Queue empty'
            ) : (
              <>
                oldest: <TimeText time={oldest} />
              </>
            )}
          </span>
        </p>
        {toneOf(fill) !== 'plain' && (
          <p className={styles.warning}>
            {fill >= SHARE_OF_SESSIONS
              ? 'Nearly full: only errors and feedback are accepted.'
              : 'Filling up: replays are rejected first, then logs, transactions and sessions.'}
          </p>
        )}
        <Classes classes={classes} />
      </div>
    </Section>
  );
}
