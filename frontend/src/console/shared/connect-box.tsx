import { projectName } from '@errata/backend/contract/project-name.ts';
import { useDsns } from '../../api/issues.ts';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './connect-box.module.css';
import { ProblemNotice } from './problem-notice.tsx';

/** Returns the DSN with this server as its host, so that an SDK without a tunnel posts to /api/<project>/envelope/. */
export function serverDsn(dsn: string, origin: string): string {
  const { username, pathname } = new URL(dsn);
  const project = pathname.split('/').findLast((part) => part !== '') ?? '';
  const { protocol, host } = new URL(origin);
  return `${protocol}//${username}@${host}/${project}`;
}

interface SnippetProps {
  readonly label: string;
  readonly code: string;
  /** Object of the copy button. */
  readonly what: string;
}

function Snippet({ label, code, what }: SnippetProps) {
  return (
    <div className={styles.snippet}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.code}>
        <code>{code}</code>
      </dd>
      <dd className={styles.copy}>
        <CopyButton text={code} what={what} />
      </dd>
    </div>
  );
}

interface ProjectProps {
  readonly dsn: string;
  readonly tunnel: string;
  /** Whether the server accepts several DSNs, so that the project must be named. */
  readonly isNamed: boolean;
}

function Project({ dsn, tunnel, isNamed }: ProjectProps) {
  const name = projectName(dsn);
  const ofProject = isNamed ? ` for ${name}` : '';
  return (
    <li className={styles.project}>
      {isNamed && <h3 className={styles.name}>{name}</h3>}
      <dl className={styles.snippets}>
        <Snippet label="DSN" code={dsn} what={`DSN${ofProject}`} />
        <Snippet
          label="Browser"
          code={`Sentry.init({ dsn: '${dsn}', tunnel: '${tunnel}' });`}
          what={`browser snippet${ofProject}`}
        />
        <Snippet
          label="Server"
          code={`Sentry.init({ dsn: '${serverDsn(dsn, window.location.origin)}' });`}
          what={`server snippet${ofProject}`}
        />
      </dl>
    </li>
  );
}

/** Shows the DSNs and the code that connects the SDK of an application with this server. */
export function ConnectBox() {
  const { data, error, refetch } = useDsns();
  return (
    <Section title="Connect your app" remark="with a Sentry SDK">
      {data !== undefined && (
        <>
          <ul className={styles.projects}>
            {data.dsns.map((dsn) => (
              <Project key={dsn} dsn={dsn} tunnel={data.tunnel} isNamed={data.dsns.length > 1} />
            ))}
          </ul>
          <p className={styles.remark}>
            Pages of another origin use{' '}
            <code>
              tunnel: '{window.location.origin}
              {data.tunnel}'
            </code>
            ; <code>ERRATA_TUNNEL_ORIGINS</code> must list their origin.
          </p>
        </>
      )}
      {error !== null && data === undefined && (
        <ProblemNotice what="The DSN" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label="Loading the DSN" lines={3} />}
    </Section>
  );
}
