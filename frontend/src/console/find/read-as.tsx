import type { SearchedEvents } from '@errata/backend/contract/event-api.ts';
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
  browser: 'a browser',
  tag: 'a code of your application',
  client_sentence: null,
  server_sentence: null,
  text: null,
  nothing: null,
};

/** A pasted page has at most 16 readings; the first ones are the most certain. */
const MAX_SHOWN = 6;

/** The words of a miss claim no more than that: an event has texts that no search reads. */
function missWords(
  { query, readings }: Pick<FindAnswer, 'query' | 'readings'>,
  read: FindAnswer['readings'],
) {
  // Filters must all hold, and the words beside them; the readings of a pasted text are alternatives.
  const areFilters = read.every(({ as }) => query.toLowerCase().includes(`${as}:`));
  if (read.length > 1 && areFilters) {
    const hasWords = readings.some(({ as }) => as === 'text');
    return `No event has all of them${hasWords ? ' and the rest of the text' : ''}.`;
  }
  return `Nothing was found under ${['it', 'either'][read.length - 1] ?? 'any of them'}.`;
}

/** What a search for an ID reads of an event; see SearchedEvents. */
const IDS =
  'These are the IDs of trace, request and user, the path, release, environment and server, the first 12 tags, and the first codes in fingerprint, extra data and message. Query strings, bodies, breadcrumbs and other contexts were not searched.';

type Answer = Pick<FindAnswer, 'query' | 'reading' | 'readings' | 'issues'>;

/**
 * Says how the text was read: without a result all ways, else the one that has found something. Nothing for a text whose
 * words were searched.
 */
export function ReadAs({ query, reading, readings, issues }: Answer) {
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
      {isMiss && ` ${missWords({ query, readings }, read)}`}
    </p>
  );
}

/** Says that some results are missing. */
export function CutNote({ isCut = false }: Pick<FindAnswer, 'isCut'>) {
  if (!isCut) return null;
  return <p className={styles.read}>More events match than are listed here: some errors are missing.</p>;
}

function Extent({ events, since, isAll }: SearchedEvents) {
  if (isAll) return 'The IDs of all stored events were searched.';
  if (since === null) return 'The stored events are older than the search for IDs.';
  return (
    <>
      The IDs of the newest {formatCount(events)} events were searched, those since{' '}
      <TimeText time={since} form="absolute" />. Older ones may match.
    </>
  );
}

/** Says how far back the ids of events were searched, and after a miss what they are. Nothing for a text without an id. */
export function SearchedNote({ searched, issues }: Pick<FindAnswer, 'searched' | 'issues'>) {
  if (searched === undefined) return null;
  return (
    <p className={styles.read}>
      <Extent {...searched} />
      {issues.length === 0 && searched.events > 0 && ` ${IDS}`}
    </p>
  );
}
