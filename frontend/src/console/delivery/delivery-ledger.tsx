import type { DeliveryState, LedgerCount, RejectionCount } from '@errata/backend/contract/delivery-api.ts';
import { formatCount } from '../../ui/format/count.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Shares } from '../../ui/charts/share-bars.tsx';
import styles from './delivery-ledger.module.css';
import { sharesOf, verdictOf, type Verdict } from './delivery-verdict.ts';
import { reasonLabel } from '../shared/reason-labels.ts';
import { rejectedPeriod, rejectedTotal, rejectionLabel } from '../shared/rejection-labels.ts';

const SIGNS: Readonly<Record<Verdict['tone'], IconName>> = {
  good: 'done',
  warn: 'waiting',
  bad: 'alert',
  quiet: 'empty',
};

/** Returns the reasons of one outcome, most frequent first. */
function reasonsOf(ledger: readonly LedgerCount[], fate: string): readonly LedgerCount[] {
  return ledger
    .filter((line) => line.fate === fate && line.reason !== '' && line.count > 0)
    .toSorted((one, other) => other.count - one.count);
}

interface FigureProps {
  readonly name: string;
  readonly count: number;
  /** Parts of the count. */
  readonly reasons?: readonly RejectionCount[];
  readonly labelOf?: (reason: string) => string;
  readonly remark?: string | undefined;
  readonly tone?: string;
}

function Figure({ name, count, reasons = [], labelOf = reasonLabel, remark, tone }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={tone === undefined ? styles.name : `${styles.name} ${styles.keyed} ${tone}`}>{name}</dt>
      <dd className={count === 0 ? `${styles.count} ${styles.zero}` : styles.count}>{formatCount(count)}</dd>
      {reasons.length > 0 && (
        <dd className={styles.reasons}>
          {reasons.map(({ reason, count: times }) => (
            <span key={reason} title={reason}>{`${formatCount(times)} × ${labelOf(reason)}`}</span>
          ))}
        </dd>
      )}
      {remark !== undefined && <dd className={styles.reasons}>{remark}</dd>}
    </div>
  );
}

function Figures({ state }: { readonly state: DeliveryState }) {
  const reasons = (fate: string) => reasonsOf(state.ledger, fate);
  const redriven = state.ledger.find(({ reason }) => reason === 'redriven')?.count ?? 0;
  return (
    <dl className={styles.figures}>
      <Figure name="Accepted" count={state.accepted} />
      {state.stored !== null && <Figure name="Errors stored here" count={state.stored} />}
      <Figure name="Delivered" count={state.delivered} tone={styles.delivered} />
      <Figure name="Queued" count={state.queued} tone={styles.waiting} />
      <Figure name="Dead letters" count={state.deadLetters} />
      {state.deadLettered > 0 && (
        <Figure
          name="Refused so far"
          count={state.deadLettered}
          reasons={reasons('dead_lettered')}
          remark={redriven > 0 ? `${formatCount(redriven)} sent again` : undefined}
          tone={styles.refused}
        />
      )}
      {state.expired > 0 && (
        <Figure name="Expired" count={state.expired} reasons={reasons('expired')} tone={styles.gone} />
      )}
      {state.dropped > 0 && (
        <Figure name="Dropped" count={state.dropped} reasons={reasons('dropped')} tone={styles.gone} />
      )}
      {state.erased > 0 && <Figure name="Erased" count={state.erased} tone={styles.gone} />}
      <Figure
        name={`Rejected ${rejectedPeriod(state.rejectedSince)}`}
        count={rejectedTotal(state.rejected)}
        reasons={state.rejected}
        labelOf={rejectionLabel}
      />
      <Figure name="Missing" count={Math.max(0, state.missing)} tone={styles.lost} />
    </dl>
  );
}

interface DeliveryLedgerProps {
  readonly state: DeliveryState;
  /** Time of the state, ms since 1970. */
  readonly asOfMs: number;
}

/** Shows the verdict with its causes, and the ledger of the spool: one bar, the figures. */
export function DeliveryLedger({ state, asOfMs }: DeliveryLedgerProps) {
  const verdict = verdictOf(state, asOfMs);
  return (
    <section className={`${styles.ledger} ${styles[verdict.tone]}`} aria-labelledby="ledger-title">
      <div className={styles.verdict}>
        <span className={styles.sign}>
          <Icon name={SIGNS[verdict.tone]} />
        </span>
        <h2 className={styles.title} id="ledger-title">
          {verdict.title}
        </h2>
        <div className={styles.text}>
          {verdict.causes.length > 0 && (
            <ul className={styles.causes}>
              {verdict.causes.map(({ place, text }) => (
                <li key={`${place} ${text}`}>
                  {place !== null && <strong>{place}: </strong>}
                  {text}
                </li>
              ))}
            </ul>
          )}
          <p>{verdict.text}</p>
        </div>
      </div>
      {state.accepted > 0 && <Shares shares={sharesOf(state)} summary={verdict.text} />}
      <Figures state={state} />
    </section>
  );
}
