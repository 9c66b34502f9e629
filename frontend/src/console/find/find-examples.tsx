import { FIND_FILTERS, type FindReading, type ReadText } from '@errata/backend/contract/find-api.ts';
import { useFindExamples } from '../../api/find.ts';
import { Link } from '../../ui/link.tsx';
import { findPath } from '../shared/paths.ts';
import styles from './find-examples.module.css';

/** Readings that a text has only behind their name. */
const NAMED: readonly FindReading[] = FIND_FILTERS.filter((filter) => filter !== 'tag');

/** Returns the text that finds a value. */
export function searchFor({ as, value }: ReadText): string {
  if (!NAMED.includes(as)) return value;
  return `${as}:${/\s/.test(value) ? `"${value}"` : value}`;
}

interface FindExamplesProps {
  readonly kinds: readonly FindReading[];
  /** Words before them. */
  readonly label?: string;
}

/** Links that search for values of the newest events; nothing without events. */
export function FindExamples({ kinds, label }: FindExamplesProps) {
  const { data } = useFindExamples();
  const texts = (data?.examples ?? []).filter(({ as }) => kinds.includes(as)).map(searchFor);
  if (texts.length === 0) return null;
  return (
    <span className={styles.examples}>
      {label}
      {texts.map((text) => (
        <Link key={text} className={styles.example} to={findPath(text)}>
          {text}
        </Link>
      ))}
    </span>
  );
}
