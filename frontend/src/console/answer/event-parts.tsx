import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import { rawEventPath } from '../../api/look-up.ts';
import { buttonClass } from '../../ui/form/button-class.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './event-parts.module.css';
import { RequestPart } from './request-part.tsx';

/** What else the event says, folded: request, tags, contexts, and all of it as JSON. */
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
        <a className={buttonClass('plain')} href={rawEventPath(event)} download={`${event.eventId}.json`}>
          <Icon name="save" />
          Download the event as JSON
        </a>
        <span className={styles.remark}>scrubbed, as it is kept here</span>
      </div>
    </div>
  );
}
