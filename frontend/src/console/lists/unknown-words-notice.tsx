import type { UnknownWords } from '@errata/backend/contract/search-api.ts';
import { Fragment } from 'react';

interface WordsProps {
  readonly label: string;
  readonly words: readonly string[];
}

function Words({ label, words }: WordsProps) {
  return words.map((word, index) => (
    <Fragment key={word}>
      {index === 0 ? `${label} ` : ', '}
      <code>{word}</code>
      {index === words.length - 1 && '. '}
    </Fragment>
  ));
}

interface UnknownWordsNoticeProps {
  readonly words: UnknownWords | undefined;
  /** Whether it was a search among the events of an issue, which have no text. */
  readonly isOfEvents?: boolean;
}

/** Names the words that are read as text, the filters without a value or with a wrong one, and the words that find understands. */
export function UnknownWordsNotice({ words, isOfEvents = false }: UnknownWordsNoticeProps) {
  if (words === undefined) return null;
  return (
    <p>
      <Words
        label={isOfEvents ? 'No filter of events, so not searched:' : 'Read as text:'}
        words={words.unknown}
      />
      {words.nearest.map(({ unknown, known }) => (
        <Fragment key={unknown}>
          <code>{unknown}</code> Did you mean <code>{known}</code>?{' '}
        </Fragment>
      ))}
      <Words label="No value, so nothing matches:" words={words.empty} />
      {words.badValues.map(({ term, expected }) => (
        <Fragment key={term}>
          Nothing matches <code>{term}</code>: expected {expected}.{' '}
        </Fragment>
      ))}
      <Words label={isOfEvents ? 'Known filters:' : 'Find understands'} words={words.known} />
    </p>
  );
}
