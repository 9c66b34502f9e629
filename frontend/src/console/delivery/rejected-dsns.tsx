import type { RejectedDsn } from '@errata/backend/contract/delivery-api.ts';
import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './delivery-page.module.css';

/** What to show without a DSN, and the setting that an operator changes to accept such a request. */
const REASONS: Readonly<Record<RejectedDsn['reason'], { readonly none: string; readonly setting: string }>> =
  {
    not_allowed: { none: 'No DSN', setting: 'ERRATA_TUNNEL_DSNS' },
    cross_site: { none: 'DSN not read', setting: 'ERRATA_TUNNEL_ORIGINS' },
  };

function Row({ dsn, origin, reason, count, last }: RejectedDsn) {
  const { none, setting } = REASONS[reason];
  return (
    <tr>
      <th scope="row">
        {dsn ?? none}
        <p className={styles.meaning}>
          {origin === null ? 'from a program' : `from ${origin}`}, not in <code>{setting}</code>
        </p>
      </th>
      <td className={styles.number}>{formatCount(count)}</td>
      <td className={styles.number}>
        <TimeText time={last} />
      </td>
    </tr>
  );
}

interface RejectedDsnsProps {
  readonly rows: readonly RejectedDsn[];
  /** What an operator can do instead of changing the setting. */
  readonly alternative: ReactNode;
}

/** Lists the DSNs and origins that the tunnel rejected: applications whose errors are lost until a setting names them. */
export function RejectedDsns({ rows, alternative }: RejectedDsnsProps) {
  if (rows.length === 0) return null;
  return (
    <Section title="Rejected DSNs" remark="newest 20 since the last start">
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <caption className={styles.caption}>
            Their senders choose these texts. If an application is yours, add it to the setting, or{' '}
            {alternative}.
          </caption>
          <thead>
            <tr>
              <th scope="col">DSN and origin</th>
              <th scope="col" className={styles.number}>
                Count
              </th>
              <th scope="col" className={styles.number}>
                Last
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.dsn} ${row.origin} ${row.reason}`} {...row} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
