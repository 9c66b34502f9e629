import type { DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { formatBytes } from '../../ui/format/bytes.ts';
import { Button } from '../../ui/form/button.tsx';
import { Tick } from '../../ui/tick.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { eventPath } from '../shared/paths.ts';
import { DeadLetterContent } from './dead-letter-content.tsx';
import styles from './dead-letter-row.module.css';
import { projectName } from '../shared/project-name.ts';
import { reasonWords } from '../shared/reason-labels.ts';

interface DeadLetterRowProps {
  readonly letter: DeadLetterSummary;
  /** It is what somebody came for: open, and the focus is on it. */
  readonly isAsked: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** The ledger's own word says less than what the upstream answered. */
function causeOf({ reason, status }: DeadLetterSummary): string {
  return sentence(reasonWords(reason === 'send_error' && status !== null ? `status_${status}` : reason));
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Facts({ letter }: { readonly letter: DeadLetterSummary }) {
  const { project, eventId, died, bytes, detail } = letter;
  return (
    <>
      {detail !== '' && <p className={styles.detail}>{detail}</p>}
      <p className={styles.facts}>
        <TimeText time={died} />
        <span>{projectName(project)}</span>
        <span>{formatBytes(bytes)}</span>
        {eventId !== null && (
          <Link to={eventPath(eventId)}>
            <VisuallyHidden>Find event </VisuallyHidden>
            <code>{eventId}</code>
          </Link>
        )}
      </p>
    </>
  );
}

/** One envelope no upstream took; what is in it is read when somebody asks. */
export function DeadLetterRow({ letter, isAsked, isChosen, onChoose }: DeadLetterRowProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(isAsked);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAsked) title.current?.focus();
  }, [isAsked]);
  const { reason, status, canRedrive } = letter;
  return (
    <li className={styles.row}>
      <Tick label={`Select dead letter ${letter.id}`} isTicked={isChosen} onToggle={onChoose} />
      <div className={styles.words}>
        <h3 className={styles.title} title={reason} ref={title} tabIndex={isAsked ? -1 : undefined}>
          {causeOf(letter)}
          {status !== null && <span className={styles.status}>status {status}</span>}
          {!canRedrive && <span className={styles.status}>cannot be sent again</span>}
        </h3>
        <Facts letter={letter} />
      </div>
      <div className={styles.inspect}>
        <Button look="quiet" isRow expands={id} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Inspect'}
          <VisuallyHidden> dead letter {letter.id}</VisuallyHidden>
        </Button>
      </div>
      <div className={styles.content} id={id} hidden={!isOpen}>
        {isOpen && <DeadLetterContent id={letter.id} />}
      </div>
    </li>
  );
}
