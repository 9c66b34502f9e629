import type { RequestDetail } from '@errata/backend/contract/event-api.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Facts } from '../../ui/facts.tsx';
import { WebLink } from '../../ui/web-link.tsx';
import styles from './request-part.module.css';

/** Characters the server keeps of a body; one that long was cut. */
const BODY_LIMIT = 8_192;

/** The request during which it failed; for a browser, the page. */
export function RequestPart({ request }: { readonly request: RequestDetail }) {
  const { method, url, query, headers, body } = request;
  return (
    <Disclosure title="Request" remark={[method, url].filter((part) => part !== null).join(' ')}>
      <Facts
        facts={[
          ['Method', method],
          ['Address', url === null ? null : <WebLink key="url" url={url} />],
          ['Query', query],
          ...headers,
        ]}
      />
      {body !== null && (
        <div className={styles.body}>
          <h3 className={styles.name}>Body</h3>
          <pre className={styles.text}>{body}</pre>
          {body.length >= BODY_LIMIT && <p className={styles.remark}>Cut here: the first 8 KiB are kept.</p>}
        </div>
      )}
    </Disclosure>
  );
}
