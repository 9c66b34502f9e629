import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useDeadLetter, useDeadLetters } from '../../api/delivery.ts';
import { formatCount } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ActionResult } from '../shared/action-result.tsx';
import { ListEnd } from '../shared/list-end.tsx';
import { DeadLetterBar } from './dead-letter-bar.tsx';
import { DeadLetterRow } from './dead-letter-row.tsx';
import styles from './dead-letters.module.css';
import { type Choice, useChoice } from './use-choice.ts';
import { type DeadLetterActions, useDeadLetterActions } from './use-dead-letter-actions.ts';

interface LinkedLetter {
  readonly id: string | null;
  readonly letter: DeadLetterSummary | undefined;
  /** Sent again or discarded since the link was made. */
  readonly isGone: boolean;
  /** In the spool of another replica. */
  readonly isOnOtherReplica: boolean;
}

/** Loads the dead letter in the address, at any position of the list. */
function useLinkedLetter(): LinkedLetter {
  const [parameters] = useSearchParams();
  const id = parameters.get('letter');
  const { data, error } = useDeadLetter(id);
  const isGone = hasStatus(error, 404);
  const isOnOtherReplica = hasStatus(error, 409);
  return { id, letter: isGone || isOnOtherReplica ? undefined : data, isGone, isOnOtherReplica };
}

interface DeadLetterListProps {
  readonly letters: readonly DeadLetterSummary[];
  /** ID of the dead letter in the address, which opens at once. */
  readonly linkedId: string | null;
  readonly choice: Choice;
  readonly actions: DeadLetterActions;
}

function DeadLetterList({ letters, linkedId, choice, actions }: DeadLetterListProps) {
  return (
    <div className={styles.box}>
      <DeadLetterBar choice={choice} actions={actions} />
      <ul aria-label="Dead letters">
        {letters.map((letter) => (
          <DeadLetterRow
            key={letter.id}
            letter={letter}
            isLinked={letter.id === linkedId}
            isChosen={choice.ids.has(letter.id)}
            onChoose={() => choice.toggle(letter.id)}
          />
        ))}
      </ul>
    </div>
  );
}

function MissingLetter({ asked: { id, isGone, isOnOtherReplica } }: { readonly asked: LinkedLetter }) {
  if (isGone)
    return <p className={styles.none}>Dead letter {id} no longer exists: it was sent again or discarded.</p>;
  if (!isOnOtherReplica) return null;
  return <p className={styles.none}>Dead letter {id} is on another replica.</p>;
}

/** Lists envelopes that an upstream rejected, and malformed bodies. `count` is their number by the last figures. */
export function DeadLetters({ count }: { readonly count: number }) {
  const list = useDeadLetters();
  const { data, refetch } = list;
  const counted = useRef(count);
  useEffect(() => {
    // The number changed since the list was loaded, so the list did too.
    if (counted.current !== count) void refetch();
    counted.current = count;
  }, [count, refetch]);

  const asked = useLinkedLetter();
  const listed = data?.pages.flatMap((page) => page.deadLetters) ?? [];
  const letters =
    asked.letter === undefined ? listed : [asked.letter, ...listed.filter(({ id }) => id !== asked.id)];
  const choice = useChoice(letters.map(({ id }) => id));
  // Here and not in the list, so that the result stays visible when the list becomes empty.
  const actions = useDeadLetterActions(letters, choice);
  return (
    <Section title="Dead letters" remark={count === 0 ? undefined : formatCount(count)}>
      <p className={styles.lead}>
        Rejected by an upstream, or malformed (malformed ones are not counted as accepted). Rejected errors
        stay in the local store. Send them again when the cause is fixed.
      </p>
      <MissingLetter asked={asked} />
      {data !== undefined && letters.length === 0 && <p className={styles.none}>No dead letters</p>}
      {letters.length > 0 && (
        <DeadLetterList letters={letters} linkedId={asked.id} choice={choice} actions={actions} />
      )}
      <ActionResult text={actions.result} />
      <ListEnd list={list} what="The dead letters" more="Show older">
        <Skeleton label="Loading the dead letters" lines={3} />
      </ListEnd>
    </Section>
  );
}
