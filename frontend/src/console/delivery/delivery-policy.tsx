import type { PolicyFinding } from '@errata/backend/contract/delivery-api.ts';
import { formatCount } from '../../ui/format/count.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { answerPath, ISSUES_PATH } from '../shared/paths.ts';
import styles from './delivery-page.module.css';

const ALL_PATH = `${ISSUES_PATH}?kind=browser&q=Content-Security-Policy`;

interface DeliveryPolicyProps {
  readonly findings: readonly PolicyFinding[];
  /** Number of reports that are not among the findings. */
  readonly leftOut: number;
}

function Row({ finding }: { readonly finding: PolicyFinding }) {
  const { directive, blocked, allow, networks, events } = finding;
  return (
    <tr>
      <th scope="row">
        <Link to={answerPath(finding)}>
          {directive} {blocked}
        </Link>
      </th>
      <td>{allow === null ? remedyOf(finding) : <code>{allow}</code>}</td>
      <td className={styles.number}>{formatCount(networks)}</td>
      <td className={styles.number}>{formatCount(events)}</td>
    </tr>
  );
}

function LeftOut({ count }: { readonly count: number }) {
  return (
    <p className={styles.none}>
      Those that most networks reported are shown. <Link to={ALL_PATH}>Issues</Link> has at least{' '}
      {formatCount(count)} more.
    </p>
  );
}

/** Lists the sources that the policy of the client blocks, or would block, with the setting that allows an origin. */
export function DeliveryPolicy({ findings, leftOut }: DeliveryPolicyProps) {
  return (
    <Section title="Content-Security-Policy">
      <div className={styles.tableBox}>
        {findings.length === 0 ? (
          <p className={styles.none}>No browser has reported anything that the policy does not allow.</p>
        ) : (
          <table className={styles.table}>
            <caption className={styles.caption}>
              Not allowed by the policy of the client, as browsers report it, with the networks that did so
              since the last start. Anyone can send such a report: add to ERRATA_CSP_EXTRA only sources that
              your pages use, separated by semicolons.
            </caption>
            <thead>
              <tr>
                <th scope="col">Blocked</th>
                <th scope="col">Allowed by</th>
                <th scope="col" className={styles.number}>
                  Networks
                </th>
                <th scope="col" className={styles.number}>
                  Events
                </th>
              </tr>
            </thead>
            <tbody>
              {findings.map((finding) => (
                <Row key={`${finding.project}/${finding.address}`} finding={finding} />
              ))}
            </tbody>
          </table>
        )}
        {leftOut > 0 && <LeftOut count={leftOut} />}
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
