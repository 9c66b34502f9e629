import type { ProjectSetup, Setup } from '@errata/backend/contract/setup-api.ts';
import { useSession } from '../../api/session.ts';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './setup-page.module.css';
import { Arrival, SendTestError } from './test-arrival.tsx';
import type { Arrivals } from './use-arrivals.ts';
import { testMessage, viteProxy, type Way } from './ways.ts';

/** Says why the code with the server key cannot be shown. */
function NoServerKey() {
  const { data } = useSession();
  return data?.role === 'support' ? (
    <Notice icon="closed" title="The server key is for operators">
      <p>You are signed in as support. Ask an operator for the code of a server.</p>
    </Notice>
  ) : (
    <Notice icon="alert" title="The server key is not known">
      <p>The store was away when Errata started. Restart Errata once the store is reachable.</p>
    </Notice>
  );
}

interface CodeToCopyProps {
  /** The way or the file of the code. */
  readonly target: string;
  readonly code: string;
}

function CodeToCopy({ target, code }: CodeToCopyProps) {
  return (
    <figure className={styles.code} aria-label={`Code for ${target}`}>
      <pre className={styles.text}>
        <code>{code}</code>
      </pre>
      <div className={styles.copy}>
        <CopyButton text={code} what={`code for ${target}`} />
      </div>
    </figure>
  );
}

/** What the code of a browser needs beside it, in development and on other origins. */
function BrowserRemarks({ origin, tunnel }: Pick<Setup, 'origin' | 'tunnel'>) {
  return (
    <>
      <p className={styles.remark}>
        Put it first into the script of the page, with Vite <code>src/main.tsx</code>. In development Vite
        must forward the tunnel: add this line to <code>vite.config.ts</code>.
      </p>
      <CodeToCopy target="vite.config.ts" code={viteProxy({ origin, tunnel })} />
      <p className={styles.remark}>
        Pages of another origin use{' '}
        <code>
          tunnel: '{origin}
          {tunnel}'
        </code>
        ; <code>ERRATA_TUNNEL_ORIGINS</code> must list their origin.
      </p>
    </>
  );
}

/** SDKs of servers read their release from the environment. */
function ServerRemark({ release }: Pick<Setup, 'release'>) {
  return (
    <p className={styles.remark}>
      Set <code>SENTRY_RELEASE</code> in the environment of your application
      {release !== null && (
        <>
          , like <code>{release}</code> here
        </>
      )}
      . Keep the key out of pages: it marks a report as one of a server.
    </p>
  );
}

interface CodeProps {
  readonly way: Way;
  readonly code: string;
}

function Code({ way: { name, install, remark, run }, code }: CodeProps) {
  return (
    <>
      {install !== null && (
        <p className={styles.remark}>
          Install: <code>{install}</code>
        </p>
      )}
      {remark !== undefined && <p className={styles.remark}>{remark}</p>}
      {run !== undefined && (
        <p className={styles.remark}>
          Save it as <code>{run.file}</code>, and start it: <code>{run.command}</code>
        </p>
      )}
      <CodeToCopy target={name} code={code} />
    </>
  );
}

interface WayCodeProps {
  readonly way: Way;
  readonly setup: Setup;
  readonly project: ProjectSetup;
  readonly arrivals: Arrivals;
}

/** Shows the code of one way with the values of a project, and whether its test error has arrived. */
export function WayCode({ way, setup, project, arrivals }: WayCodeProps) {
  const { browserDsn, serverDsn } = project;
  if (way.needsServerKey && serverDsn === null) return <NoServerKey />;
  const { origin, tunnel, release } = setup;
  const code = way.code({ browserDsn, serverDsn: serverDsn ?? '', tunnel });
  const arrival = { event: arrivals.byWay.get(way.id), state: arrivals.state };
  return (
    <div className={styles.way}>
      <Code way={way} code={code} />
      {way.needsServerKey ? (
        <>
          <ServerRemark release={release} />
          <Arrival {...arrival} waiting={way.use ?? 'Run it: it sends a test error, which appears here.'} />
        </>
      ) : (
        <>
          <BrowserRemarks origin={origin} tunnel={tunnel} />
          <SendTestError {...arrival} dsn={browserDsn} tunnel={tunnel} message={testMessage(way)} />
        </>
      )}
    </div>
  );
}
