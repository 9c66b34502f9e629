import type { FindAnswer, FindReading } from '@errata/backend/contract/find-api.ts';
import { Fragment } from 'react';
import { formatCount } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import styles from './find-page.module.css';

/** What a text can be; a sentence and other words are no value. */
const WORDS: Readonly<Record<FindReading, string | null>> = {
  digest: 'a digest',
  reference: 'a reference',
  event_id: 'an event ID',
  trace_id: 'a trace ID',
  request_id: 'a request ID',
  user: 'a user',
  url: 'a URL',
  release: 'a release',
  environment: 'an environment',
  server: 'a server',
  tag: 'a code of your application',
  client_sentence: null,
  server_sentence: null,
  text: null,
  nothing: null,
};

/** A pasted page has at most 16 readings; the first ones are the most certain. */
const MAX_SHOWN = 6;

function missWords(count: number, isAll: boolean): string {
  const which = count === 1 ? 'it' : count === 2 ? 'either' : 'any of them';
  return isAll ? `No event here has ${which}.` : `None of the searched events has ${which}.`;
}

type Answer = Pick<FindAnswer, 'query' | 'reading' | 'readings' | 'issues' | 'searched'>;

/**
 * Says how the text was read: without a result all ways, else the one that has found something. Nothing for a text whose
 * words were searched.
 */
export function ReadAs({ query, reading, readings, issues, searched }: Answer) {
  const isMiss = issues.length === 0;
  const read = readings.filter(({ as }) => WORDS[as] !== null && (isMiss || as === reading));
  const shown = read.slice(0, MAX_SHOWN);
  if (shown.length === 0) return null;
  return (
    <p className={styles.read}>
      Read as{' '}
      {shown.map(({ as, value }, index) => (
        <Fragment key={`${as} ${value}`}>
          {index > 0 && (index === read.length - 1 ? ' and as ' : ', as ')}
          {WORDS[as]}
          {value !== query.trim() && (
            <>
              {' ('}
              <code>{value}</code>)
            </>
          )}
        </Fragment>
      ))}
      {read.length > shown.length && ` and in ${read.length - shown.length} other ways`}.
      {isMiss && ` ${missWords(read.length, searched?.isAll !== false)}`}
    </p>
  );
}

/** Says that some results are missing. */
export function CutNote({ isCut = false }: Pick<FindAnswer, 'isCut'>) {
  if (!isCut) return null;
  return <p className={styles.read}>More events match than are listed here: some errors are missing.</p>;
}

/** Says how far back the ids of events were searched. Nothing for a text without an id. */
export function SearchedNote({ searched }: Pick<FindAnswer, 'searched'>) {
  if (searched === undefined) return null;
  const { events, since, isAll } = searched;
  if (isAll) return <p className={styles.read}>All stored events were searched.</p>;
  if (since === null)
    return <p className={styles.read}>The stored events are older than the search for IDs.</p>;
  return (
    <p className={styles.read}>
      The newest {formatCount(events)} events were searched, those since{' '}
      <TimeText time={since} form="absolute" />. Older ones may match.
    </p>
  );
}
