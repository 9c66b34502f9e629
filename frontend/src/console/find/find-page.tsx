import { useSearchParams } from 'react-router';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { FindBox } from '../shared/search-box.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import styles from './find-page.module.css';
import { FindResults } from './find-results.tsx';
import { RecentIssues } from './recent-issues.tsx';

/** The console's first page: a box, and what failed lately. The address holds the question. */
export function FindPage({ hasDemo }: { readonly hasDemo: boolean }) {
  const [parameters] = useSearchParams();
  const text = (parameters.get('q') ?? '').trim();

  return (
    <ConsoleFrame title={text === '' ? 'Find an error' : text}>
      <SessionGate asked={text === '' ? null : text}>
        <div className={styles.page}>
          <div className={styles.ask}>
            <h1 className={styles.title}>Find the cause of an error</h1>
            <FindBox size="large" text={text} />
            <p className={styles.hint}>
              also: <code>release:1.4.2</code> <code>user:ann@example.org</code> <code>url:/checkout</code>{' '}
              <code>"text"</code>
            </p>
          </div>
          {text === '' ? <RecentIssues hasDemo={hasDemo} /> : <FindResults text={text} />}
        </div>
      </SessionGate>
    </ConsoleFrame>
  );
}
