import type { StrandedDsn } from '@errata/backend/contract/delivery-api.ts';
import { keyStart, projectName } from '@errata/backend/contract/project-name.ts';
import { useState } from 'react';
import { useDiscardWaiting } from '../../api/delivery.ts';
import { useIsOperator, useSession } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Button } from '../../ui/form/button.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Section } from '../../ui/section.tsx';
import { ActionResult } from '../shared/action-result.tsx';
import { errorText } from '../shared/error-text.ts';
import styles from './delivery-page.module.css';

function envelopeCount(count: number): string {
  return counted(count, 'envelope', 'envelopes');
}

interface StrandedProps {
  readonly stranded: StrandedDsn;
  readonly onDone: (result: string) => void;
}

/** Discards the envelopes of one DSN after asking. */
function Discard({ stranded: { project, queued }, onDone }: StrandedProps) {
  const isOperator = useIsOperator();
  const { mutate, isPending } = useDiscardWaiting();
  const [isAsking, setIsAsking] = useState(false);
  const place = projectName(project);
  const discard = () =>
    mutate(
      { project },
      {
        onSuccess: ({ done }) => onDone(`${envelopeCount(done)} for ${place} discarded.`),
        onError: (error) => onDone(errorText(error)),
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <>
      <Button disabled={!isOperator || isPending} onClick={() => setIsAsking(true)}>
        Discard…
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Discard ${envelopeCount(queued)} for ${place}?`}
          action={`Discard ${envelopeCount(queued)}`}
          isBusy={isPending}
          onConfirm={discard}
          onCancel={() => setIsAsking(false)}
        >
          <p>This cannot be undone. The upstream will not receive them. The local store keeps its copy.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Stranded({ stranded, onDone }: StrandedProps) {
  const { project, queued, expires } = stranded;
  const key = keyStart(project);
  return (
    <li className={styles.sink}>
      <div className={styles.sinkHead}>
        <h3 className={styles.name}>{projectName(project)}</h3>
        <Badge icon="alert" tone="bad">
          Not in the settings
        </Badge>
      </div>
      <p className={styles.meaning}>
        Envelopes for this DSN are not sent, and expire. Add it to <code>ERRATA_TUNNEL_DSNS</code> to send
        them.
      </p>
      <Facts
        facts={[
          ['Key', <code key="key">{key}…</code>],
          ['Queued', formatCount(queued)],
          ['First expires', expires === null ? null : <TimeText key="at" time={expires} form="absolute" />],
        ]}
      />
      <div>
        <Discard stranded={stranded} onDone={onDone} />
      </div>
    </li>
  );
}

/** Lists the DSNs that have left the settings while envelopes wait for them, with a way to discard those. */
export function StrandedDsns({ stranded }: { readonly stranded: readonly StrandedDsn[] }) {
  const isSupport = useSession().data?.role === 'support';
  const [result, setResult] = useState('');
  if (stranded.length === 0 && result === '') return null;
  return (
    <Section title="DSNs outside the settings">
      {isSupport && stranded.length > 0 && <p className={styles.meaning}>Only operators can discard.</p>}
      <ul className={styles.sinks}>
        {stranded.map((one) => (
          <Stranded key={one.project} stranded={one} onDone={setResult} />
        ))}
      </ul>
      <ActionResult text={result} />
    </Section>
  );
}
