import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { DeadLetterBar } from './dead-letter-bar.tsx';
import styles from './dead-letter-list.module.css';
import { DeadLetterRow } from './dead-letter-row.tsx';
import type { Choice } from './use-choice.ts';
import type { DeadLetterActions } from './use-dead-letter-actions.ts';

interface DeadLetterListProps {
  readonly letters: readonly DeadLetterSummary[];
  /** Of the one the address names, which is open at once. */
  readonly askedId: string | null;
  readonly choice: Choice;
  readonly actions: DeadLetterActions;
}

export function DeadLetterList({ letters, askedId, choice, actions }: DeadLetterListProps) {
  return (
    <div className={styles.box}>
      <DeadLetterBar choice={choice} actions={actions} />
      <ul className={styles.list} aria-label="Dead letters">
        {letters.map((letter) => (
          <DeadLetterRow
            key={letter.id}
            letter={letter}
            isAsked={letter.id === askedId}
            isChosen={choice.ids.has(letter.id)}
            onChoose={() => choice.toggle(letter.id)}
          />
        ))}
      </ul>
    </div>
  );
}
