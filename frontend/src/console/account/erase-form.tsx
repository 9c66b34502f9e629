import type { Erasure } from '@errata/backend/contract/erasure-api.ts';
import { useState, type FormEvent } from 'react';
import { useErase } from '../../api/access.ts';
import { Button } from '../../ui/form/button.tsx';
import { Section } from '../../ui/section.tsx';
import { TextBox } from '../../ui/form/text-box.tsx';
import { errorText } from '../shared/error-text.ts';
import { ActionResult } from '../shared/action-result.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import styles from './erase-form.module.css';
import { ERASURE_TARGETS, erasedText, erasureOf, type ErasureTarget } from './erasure-choice.ts';

const LEAD =
  'Permanently deletes events, feedback, queued envelopes and dead letters. Copies at upstreams stay.';
const LABELS: Readonly<Record<ErasureTarget, string>> = {
  user: 'User',
  event: 'Event',
  age: 'Age',
};
const BOXES: Readonly<Record<ErasureTarget, { readonly label: string; readonly hint: string }>> = {
  user: { label: 'Email, name or ID of the user', hint: 'Exact match' },
  event: { label: 'Event ID', hint: '32 hex characters' },
  age: { label: 'Received before', hint: 'Data of this day stays' },
};

interface KindsProps {
  readonly kind: ErasureTarget;
  readonly onChoose: (kind: ErasureTarget) => void;
}

function Kinds({ kind, onChoose }: KindsProps) {
  return (
    <fieldset className={styles.kinds}>
      <legend className={styles.legend}>Erase by</legend>
      {ERASURE_TARGETS.map((option) => (
        <label key={option} className={styles.kind}>
          <input type="radio" name="kind" checked={option === kind} onChange={() => onChoose(option)} />
          {LABELS[option]}
        </label>
      ))}
    </fieldset>
  );
}

interface ErasePartsProps {
  readonly isBusy: boolean;
  /** Result of the last erasure. */
  readonly result: string;
  readonly onAsk: (erasure: Erasure) => void;
}

/** Selects the data to erase. */
function EraseParts({ isBusy, result, onAsk }: ErasePartsProps) {
  const [kind, setKind] = useState<ErasureTarget>('user');
  const [typed, setTyped] = useState('');
  const erasure = erasureOf(kind, typed);

  const choose = (next: ErasureTarget) => {
    setKind(next);
    setTyped('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (erasure !== null) onAsk(erasure);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.lead}>{LEAD}</p>
      <Kinds kind={kind} onChoose={choose} />
      <div className={styles.what}>
        <TextBox
          key={kind}
          {...BOXES[kind]}
          type={kind === 'age' ? 'date' : 'text'}
          value={typed}
          onChange={setTyped}
          required
        />
      </div>
      <div className={styles.go}>
        <Button type="submit" look="danger" disabled={erasure === null || isBusy}>
          Erase…
        </Button>
        <ActionResult text={result} />
      </div>
    </form>
  );
}

/** Erases data by user, event or age, after a confirmation that shows the projects with matching data. */
export function EraseForm() {
  const [asked, setAsked] = useState<Erasure | null>(null);
  const [result, setResult] = useState('');
  const { mutate, isPending } = useErase();

  const ask = (erasure: Erasure) => {
    setResult('');
    setAsked(erasure);
  };
  const erase = (erasure: Erasure) =>
    mutate(erasure, {
      onSuccess: (erased) => setResult(erasedText(erased)),
      onError: (error) => setResult(errorText(error)),
      onSettled: () => setAsked(null),
    });

  return (
    <Section title="Erase">
      <EraseParts isBusy={isPending} result={result} onAsk={ask} />
      {asked !== null && (
        <EraseDialog erasure={asked} isBusy={isPending} onConfirm={erase} onCancel={() => setAsked(null)} />
      )}
    </Section>
  );
}
