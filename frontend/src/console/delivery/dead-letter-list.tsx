import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { DeadLetterBar } from './dead-letter-bar.tsx';
import styles from './dead-letter-list.module.css';
import { DeadLetterRow } from './dead-letter-row.tsx';
import { useChoice } from './use-choice.ts';

export function DeadLetterList({ letters }: { readonly letters: readonly DeadLetterSummary[] }) {
  const choice = useChoice(letters.map(({ id }) => id));
  return (
    <div className={styles.box}>
      <DeadLetterBar letters={letters} choice={choice} />
      <ul className={styles.list} aria-label="Dead letters">
        {letters.map((letter) => (
          <DeadLetterRow
            key={letter.id}
            letter={letter}
            isChosen={choice.ids.has(letter.id)}
            onChoose={() => choice.toggle(letter.id)}
          />
        ))}
      </ul>
    </div>
  );
}
