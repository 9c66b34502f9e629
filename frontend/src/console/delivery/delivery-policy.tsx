import type { PolicyFinding } from '@errata/backend/contract/delivery-api.ts';
import { Link } from 'react-router';
import { formatCount } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { answerPath } from '../shared/paths.ts';
import styles from './delivery-page.module.css';

interface DeliveryPolicyProps {
  readonly findings: readonly PolicyFinding[];
}

/** Lists the sources that the policy of the client blocks, or would block, with the setting for content of an origin. */
export function DeliveryPolicy({ findings }: DeliveryPolicyProps) {
  return (
    <Section title="Content-Security-Policy">
      <div className={styles.tableBox}>
        {findings.length === 0 ? (
          <p className={styles.none}>No browser has reported anything that the policy does not allow.</p>
        ) : (
          <table className={styles.table}>
            <caption className={styles.caption}>
              Not allowed by the policy of the client, as browsers report it. Anyone can send such a report:
              add to ERRATA_CSP_EXTRA only sources that your pages use, separated by semicolons.
            </caption>
            <thead>
              <tr>
                <th scope="col">Blocked</th>
                <th scope="col">Allowed by</th>
                <th scope="col" className={styles.number}>
                  Events
                </th>
              </tr>
            </thead>
            <tbody>
              {findings.map((finding) => (
                <tr key={`${finding.project}/${finding.address}`}>
                  <th scope="row">
                    <Link to={answerPath(finding)}>
                      {finding.directive} {finding.blocked}
                    </Link>
                  </th>
                  <td>{finding.allow === null ? remedyOf(finding) : <code>{finding.allow}</code>}</td>
                  <td className={styles.number}>{formatCount(finding.events)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Section>
  );
}

/** Advises no 'unsafe-inline' for scripts: beside it, browsers ignore the hashes of all other inline scripts. */
function remedyOf({ directive, blocked }: PolicyFinding): string {
  return directive.startsWith('script-src') && blocked === 'inline'
    ? 'Move it to a file, or add its hash, which the console of the browser names'
    : 'No line: anyone can report it. Allow it only if your own browser blocks it, too';
}
