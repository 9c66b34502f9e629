import { useEffect, useRef } from 'react';
import { useDeadLetters } from '../../api/delivery.ts';
import { formatCount } from '../../ui/counted.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ListEnd } from '../list-end.tsx';
import { ResultLine } from '../result-line.tsx';
import { DeadLetterList } from './dead-letter-list.tsx';
import styles from './dead-letters.module.css';
import { useChoice } from './use-choice.ts';
import { useDeadLetterActions } from './use-dead-letter-actions.ts';

/** Envelopes an upstream refused for good. `count` is how many there are by the last figures. */
export function DeadLetters({ count }: { readonly count: number }) {
  const list = useDeadLetters();
  const { data, refetch } = list;
  const listed = useRef(count);
  useEffect(() => {
    // One more or less than when the list was read: it is another list now.
    if (listed.current !== count) void refetch();
    listed.current = count;
  }, [count, refetch]);

  const letters = data?.pages.flatMap((page) => page.deadLetters) ?? [];
  const choice = useChoice(letters.map(({ id }) => id));
  // Here and not in the list: what came of the last one is said when the list is empty for it.
  const actions = useDeadLetterActions(letters, choice);
  return (
    <Section title="Dead letters" remark={count === 0 ? undefined : formatCount(count)}>
      <p className={styles.lead}>
        An upstream refused these for good. Errors in them are kept here all the same; once the cause is
        mended they can be sent again.
      </p>
      {data !== undefined && letters.length === 0 && <p className={styles.none}>There are none.</p>}
      {letters.length > 0 && <DeadLetterList letters={letters} choice={choice} actions={actions} />}
      <ResultLine text={actions.result} />
      <ListEnd list={list} what="The dead letters" more="Show older">
        <Skeleton label="Loading the dead letters" lines={3} />
      </ListEnd>
    </Section>
  );
}
