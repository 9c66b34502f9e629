import type { SessionSummary, SessionWay } from '@errata/backend/contract/access-api.ts';
import { useState } from 'react';
import { useRevoke, useSessions } from '../../api/access.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/form/button.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { ActionResult } from '../shared/action-result.tsx';
import { errorText } from '../shared/error-text.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import styles from './account-page.module.css';

const WAYS: Readonly<Record<SessionWay, string>> = {
  token: 'token',
  link: 'one-time link',
  oidc: 'SSO',
};

interface SessionRowProps {
  readonly session: SessionSummary;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const { who, role, way, created, lastSeen, own } = session;
  return (
    <li className={styles.row}>
      <p className={styles.sessionWho}>
        {who}
        <Badge tone={role === 'operator' ? 'accent' : 'plain'}>{role}</Badge>
        {own && (
          <Badge tone="good" icon="done">
            this browser
          </Badge>
        )}
      </p>
      <p className={styles.facts}>
        <span>{WAYS[way]}</span>
        <span>
          since <TimeText time={created} form="absolute" />
        </span>
        <span>
          last seen <TimeText time={lastSeen} />
        </span>
      </p>
      <div className={styles.end}>
        <Button disabled={isBusy} onClick={onEnd}>
          {own ? 'Sign out' : 'Revoke'}
          <VisuallyHidden>
            {' '}
            session of {who} since {created}
          </VisuallyHidden>
        </Button>
      </div>
    </li>
  );
}

/** Lists the user's own sessions; for an operator those of all users. */
export function AccountSessions({ isOperator }: { readonly isOperator: boolean }) {
  const { data, error, refetch } = useSessions();
  const revoke = useRevoke();
  const [result, setResult] = useState('');

  const end = (session: SessionSummary) =>
    revoke.mutate(session.id, {
      onSuccess: () => setResult(`Session of ${session.who} revoked.`),
      onError: (failure) => setResult(errorText(failure)),
    });

  return (
    <Section title={isOperator ? 'All sessions' : 'Your sessions'}>
      {data !== undefined && (
        <ul className={styles.list}>
          {data.sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isBusy={revoke.isPending}
              onEnd={() => end(session)}
            />
          ))}
        </ul>
      )}
      {error !== null && <ProblemNotice what="The sessions" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label="Loading the sessions" lines={3} />}
      <ActionResult text={result} />
    </Section>
  );
}
