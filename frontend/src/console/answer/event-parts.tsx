import type { EventDetail, RequestDetail } from '@errata/backend/contract/event-api.ts';
import { atServer } from '../../api/base-path.ts';
import { rawEventPath } from '../../api/find.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Facts } from '../../ui/facts.tsx';
import { buttonClass } from '../../ui/form/button-class.ts';
import { Icon } from '../../ui/icon.tsx';
import { WebLink } from '../../ui/web-link.tsx';
import styles from './event.module.css';

/** Characters of a body that the server stores; a body of this length was truncated. */
const BODY_LIMIT = 8_192;

/** Shows the request of the event; for a browser, the page. */
function RequestPart({ request }: { readonly request: RequestDetail }) {
  const { method, url, query, headers, body } = request;
  return (
    <Disclosure title="Request" remark={[method, url].filter((part) => part !== null).join(' ')}>
      <Facts
        facts={[
          ['Method', method],
          ['URL', url === null ? null : <WebLink key="url" url={url} />],
          ['Query', query],
          ...headers,
        ]}
      />
      {body !== null && (
        <div className={styles.body}>
          <h3 className={styles.requestName}>Body</h3>
          <pre className={styles.requestText}>{body}</pre>
          {body.length >= BODY_LIMIT && <p className={styles.remark}>Truncated: first 8 KiB stored.</p>}
        </div>
      )}
    </Disclosure>
  );
}

/** Shows further data, folded: request, tags, contexts and the whole event as JSON. */
export function EventParts({ event }: { readonly event: EventDetail }) {
  const tags = Object.entries(event.tags);
  const contexts = event.contexts ?? [];
  return (
    <div className={styles.parts}>
      {event.request != null && <RequestPart request={event.request} />}
      {tags.length > 0 && (
        <Disclosure title="Tags" remark={String(tags.length)}>
          <Facts facts={tags} />
        </Disclosure>
      )}
      {contexts.length > 0 && (
        <Disclosure title="Contexts" remark={contexts.map(({ name }) => name).join(', ')}>
          {contexts.map(({ name, values }) => (
            <section key={name} className={styles.context} aria-label={name}>
              <h3 className={styles.name}>{name}</h3>
              <Facts facts={values} />
            </section>
          ))}
        </Disclosure>
      )}
      <div className={styles.raw}>
        <a
          className={buttonClass('plain')}
          href={atServer(rawEventPath(event))}
          download={`${event.eventId}.json`}
        >
          <Icon name="save" />
          Download event as JSON
        </a>
        <span className={styles.remark}>Secrets removed</span>
      </div>
    </div>
  );
}
