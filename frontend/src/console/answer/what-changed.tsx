import type { Change } from '@errata/backend/contract/facets-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useFacets } from '../../api/facets.ts';
import styles from './answer-page.module.css';

function wordsOf(change: Change): string {
  if (change.kind === 'new') return `new since ${change.release}`;
  if (change.kind === 'burst') return `${change.times}× the usual hour`;
  const { field, value } = change;
  return `only ${field.startsWith('tag:') ? `${field.slice(4)}:` : ''}${value}`;
}

/** Says in one line what is different about the issue: which release brought it, whether it is more than usual, what all events have. */
export function WhatChanged({ issue }: { readonly issue: IssueAnswer }) {
  const { data } = useFacets(issue, '');
  if (data === undefined || data.changed.length === 0) return null;
  return <p className={styles.changed}>{data.changed.map(wordsOf).join(' · ')}</p>;
}
