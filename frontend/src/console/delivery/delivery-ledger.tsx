import type { DeliveryState, EndCount } from '@errata/backend/contract/delivery-api.ts';
import { formatCount } from '../../ui/counted.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Shares } from '../../ui/shares.tsx';
import styles from './delivery-ledger.module.css';
import { sharesOf, verdictOf, type Verdict } from './delivery-verdict.ts';
import { reasonWords } from '../reason-words.ts';

const SIGNS: Readonly<Record<Verdict['tone'], IconName>> = { good: 'done', bad: 'alert', quiet: 'empty' };

/** What an end was for, most frequent first. */
function Reasons({ ends, fate }: { readonly ends: readonly EndCount[]; readonly fate: string }) {
  const reasons = ends
    .filter((end) => end.fate === fate && end.reason !== '' && end.count > 0)
    .toSorted((one, other) => other.count - one.count);
  if (reasons.length === 0) return null;
  return (
    <dd className={styles.reasons}>
      {reasons.map(({ reason, count }) => (
        <span key={reason} title={reason}>{`${formatCount(count)} × ${reasonWords(reason)}`}</span>
      ))}
    </dd>
  );
}

interface FigureProps {
  readonly name: string;
  readonly count: number;
  /** Of the same ledger line, in the words of the contract; its reasons are listed. */
  readonly fate?: string;
  readonly ends?: readonly EndCount[];
  readonly tone?: string;
}

function Figure({ name, count, fate = '', ends = [], tone }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={tone === undefined ? styles.name : `${styles.name} ${styles.keyed} ${tone}`}>{name}</dt>
      <dd className={count === 0 ? `${styles.count} ${styles.zero}` : styles.count}>{formatCount(count)}</dd>
      <Reasons ends={ends} fate={fate} />
    </div>
  );
}

/** The ledger of the spool for people: one verdict, one bar, the figures. */
export function DeliveryLedger({ state }: { readonly state: DeliveryState }) {
  const verdict = verdictOf(state);
  const { ends } = state;
  return (
    <section className={`${styles.ledger} ${styles[verdict.tone]}`} aria-labelledby="ledger-title">
      <div className={styles.verdict}>
        <span className={styles.sign}>
          <Icon name={SIGNS[verdict.tone]} />
        </span>
        <h2 className={styles.title} id="ledger-title">
          {verdict.title}
        </h2>
        <p className={styles.text}>{verdict.text}</p>
      </div>
      {state.accepted > 0 && <Shares shares={sharesOf(state)} summary={verdict.text} />}
      <dl className={styles.figures}>
        <Figure name="Received" count={state.accepted} />
        {state.stored !== null && <Figure name="Errors stored here" count={state.stored} />}
        <Figure name="Delivered" count={state.delivered} tone={styles.delivered} />
        <Figure name="Waiting" count={state.held} tone={styles.waiting} />
        <Figure
          name="Refused"
          count={state.deadLettered}
          ends={ends}
          fate="dead_lettered"
          tone={styles.refused}
        />
        {state.expired > 0 && (
          <Figure name="Expired" count={state.expired} ends={ends} fate="expired" tone={styles.gone} />
        )}
        {state.shed > 0 && (
          <Figure name="Let go" count={state.shed} ends={ends} fate="shed" tone={styles.gone} />
        )}
        {state.erased > 0 && <Figure name="Erased" count={state.erased} tone={styles.gone} />}
        <Figure name="Lost" count={Math.max(0, state.missing)} tone={styles.lost} />
      </dl>
    </section>
  );
}
