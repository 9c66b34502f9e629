import { type IssueAnswer, MAX_PAGE_LINE } from '@errata/backend/contract/issues-api.ts';
import { useState } from 'react';
import { useSetPageLine } from '../../api/issues.ts';
import { useIsOperator } from '../../api/session.ts';
import { Section } from '../../ui/section.tsx';
import styles from './occurrence.module.css';
import { TextForm } from './text-form.tsx';

/** Returns why pages do not show the line; undefined if they do. */
function reasonOf({ status, pageLine }: IssueAnswer): string | undefined {
  if (pageLine?.isShown === false) return 'Not shown: ERRATA_ERROR_PAGE is plain.';
  return status === 'resolved'
    ? 'Not shown while it is resolved; shown again when the error comes back.'
    : undefined;
}

/** Shows the line on the error pages of exactly this issue. Operators write it, all users read it. */
export function PageLine({ issue }: { readonly issue: IssueAnswer }) {
  const isOperator = useIsOperator();
  const saving = useSetPageLine(issue);
  const [written, setWritten] = useState<string>();
  const stored = issue.pageLine?.text;
  const reason = reasonOf(issue);
  if (stored === undefined || (stored === '' && !isOperator)) return null;
  return (
    <div className={styles.box}>
      <Section title="Error page">
        {isOperator ? (
          <TextForm
            label="Line for users"
            what="line"
            verbs={['Save', 'Saving…', 'Saved.']}
            text={written ?? stored}
            maxLength={MAX_PAGE_LINE}
            isRequired={false}
            saving={saving}
            // It is one line: a break would be refused.
            onWrite={(text) => setWritten(text.replaceAll(/\s*\n\s*/g, ' '))}
            onSaved={() => setWritten(undefined)}
          />
        ) : (
          <p className={styles.text}>{stored}</p>
        )}
        {reason !== undefined && <p className={styles.brief}>{reason}</p>}
      </Section>
    </div>
  );
}
