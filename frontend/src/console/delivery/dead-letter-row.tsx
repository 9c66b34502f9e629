import type { DeadLetterItem, DeadLetterSummary } from '@errata/backend/contract/delivery-api.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { hasStatus } from '../../api/api-error.ts';
import { useDeadLetter } from '../../api/delivery.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Button } from '../../ui/form/button.tsx';
import { formatBytes } from '../../ui/format/bytes.ts';
import { counted } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { eventPath } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { capitalized, reasonLabel } from '../shared/reason-labels.ts';
import styles from './dead-letters.module.css';

/** Shows what a client sent, as text only. */
function Sent({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // Long text scrolls, so the keyboard must be able to focus it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.text} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

function Item({ item }: { readonly item: DeadLetterItem }) {
  const { type, bytes, text } = item;
  return (
    <li>
      <h4 className={styles.type}>
        {type} <span className={styles.size}>{formatBytes(bytes)}</span>
      </h4>
      {text === null ? (
        <p className={styles.remark}>Binary, not shown</p>
      ) : (
        <Sent label={`Content of ${type}`} text={text} />
      )}
    </li>
  );
}

/** Shows the content of a dead letter, secrets removed by the server. */
function DeadLetterContent({ id }: { readonly id: string }) {
  const { data, error, refetch } = useDeadLetter(id);
  // Sent again or discarded while it was open: the list refetches soon.
  if (hasStatus(error, 404)) return <p className={styles.remark}>This dead letter no longer exists.</p>;
  if (error !== null) {
    return <ProblemNotice what="The dead letter" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton label="Loading the dead letter" lines={4} />;
  const { items, beginning, unread, origin, userAgent, canRedrive } = data;
  return (
    <div className={styles.opened}>
      <Facts
        facts={[
          ['Origin', origin],
          ['User agent', userAgent],
        ]}
      />
      <p className={styles.remark}>
        {beginning === null ? counted(items.length, 'item', 'items') : 'No item can be read'}. Secrets are
        hidden here{canRedrive && '; “Send again” sends the original envelope'}.
      </p>
      {unread !== null && <p className={styles.remark}>{unread}</p>}
      {beginning !== null && <Sent label="First bytes" text={beginning} />}
      <ol className={styles.items}>
        {items.map((item, index) => (
          <Item key={index} item={item} />
        ))}
      </ol>
    </div>
  );
}

interface DeadLetterRowProps {
  readonly letter: DeadLetterSummary;
  /** The address names this dead letter: it opens and gets the focus. */
  readonly isLinked: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function LetterFacts({ letter }: { readonly letter: DeadLetterSummary }) {
  const { project, eventId, deadLettered, bytes, detail } = letter;
  return (
    <>
      {detail !== '' && <p className={styles.detail}>{detail}</p>}
      <p className={styles.facts}>
        {deadLettered !== null && <TimeText time={deadLettered} />}
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

/** Shows one dead letter; its content loads when it is opened. */
export function DeadLetterRow({ letter, isLinked, isChosen, onChoose }: DeadLetterRowProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(isLinked);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isLinked) title.current?.focus();
  }, [isLinked]);
  const { reason, status, canRedrive } = letter;
  return (
    <li className={styles.row}>
      <Checkbox label={`Select dead letter ${letter.id}`} isChecked={isChosen} onToggle={onChoose} />
      <div className={styles.label}>
        <h3 className={styles.title} title={reason} ref={title} tabIndex={isLinked ? -1 : undefined}>
          {capitalized(reasonLabel(reason, status))}
          {status !== null && <span className={styles.status}>status {status}</span>}
          {!canRedrive && <span className={styles.status}>cannot be sent again</span>}
        </h3>
        <LetterFacts letter={letter} />
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
