import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useIsOperator } from '../../api/session.ts';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { NoteForm } from './note-form.tsx';
import styles from './notes.module.css';

/** What the team wrote about the issue. Operators write, everybody reads. */
export function Notes({ issue }: { readonly issue: IssueAnswer }) {
  const isOperator = useIsOperator();
  const notes = issue.notes ?? [];
  if (notes.length === 0 && !isOperator) return null;
  return (
    <div className={styles.box}>
      <Section title="Notes">
        {notes.length > 0 && (
          <ol className={styles.notes}>
            {notes.map(({ id, time, author, text }) => (
              <li key={id} className={styles.note}>
                <p className={styles.text}>{text}</p>
                <p className={styles.author}>
                  {author}, <TimeText time={time} />
                </p>
              </li>
            ))}
          </ol>
        )}
        {isOperator && <NoteForm issue={issue} />}
      </Section>
    </div>
  );
}
