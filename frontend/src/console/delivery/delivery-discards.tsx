import type { DiscardedItems } from '@errata/backend/contract/delivery-api.ts';
import { formatCount } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import styles from './delivery-discards.module.css';
import { reasonWords } from '../shared/reason-labels.ts';
import { categoryWords } from './delivery-labels.ts';
import tables from './plain-table.module.css';

/** Items that were let go of, as the upstreams were told too. */
export function DeliveryDiscards({ discards }: { readonly discards: readonly DiscardedItems[] }) {
  const sorted = discards.toSorted((one, other) => other.quantity - one.quantity);
  return (
    <Section title="Items let go">
      <div className={styles.discards}>
        {sorted.length === 0 ? (
          <p className={styles.none}>None: every item of every envelope was kept.</p>
        ) : (
          <table className={tables.table}>
            <caption className={tables.caption}>
              By reason and kind, since the spool was made. The upstream was told by a client report.
            </caption>
            <thead>
              <tr>
                <th scope="col">Reason</th>
                <th scope="col">Kind</th>
                <th scope="col" className={tables.number}>
                  Items
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.map(({ reason, category, quantity }) => (
                <tr key={`${reason}/${category}`}>
                  <th scope="row" title={reason}>
                    {reasonWords(reason)}
                  </th>
                  <td>{categoryWords(category)}</td>
                  <td className={tables.number}>{formatCount(quantity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Section>
  );
}
