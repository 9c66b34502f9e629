import type { UnknownWords } from '@errata/backend/contract/issues-api.ts';
import { Fragment } from 'react';

function Words({ words }: { readonly words: readonly string[] }) {
  return words.map((word, index) => (
    <Fragment key={word}>
      {index > 0 && ', '}
      <code>{word}</code>
    </Fragment>
  ));
}

/** Names the words that are read as text, and the words that find understands. */
export function UnknownWordsNotice({ words }: { readonly words: UnknownWords | undefined }) {
  if (words === undefined) return null;
  return (
    <p>
      Read as text: <Words words={words.unknown} />. Find understands <Words words={words.known} />.
    </p>
  );
}
