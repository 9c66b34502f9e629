import type { Facet, FacetValue, IssueFacets } from '@errata/backend/contract/facets-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useState } from 'react';
import { useFacets } from '../../api/facets.ts';
import { Shares } from '../../ui/charts/share-bars.tsx';
import { Button } from '../../ui/form/button.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { stateOf, useEventFilter } from './event-filter.ts';
import styles from './facets.module.css';
import boxes from './occurrence.module.css';
import { TermLink } from './term-link.tsx';

/** Values that are shown at first. */
const FEW = 3;

/** Only all events are 100 %, and none is 0 %. */
function percentOf(events: number, of: number): string {
  if (events === 0 || events === of) return events === 0 ? '0 %' : '100 %';
  const percent = Math.round((100 * events) / of);
  return percent < 1 ? '<1 %' : `${Math.min(99, percent)} %`;
}

interface ValueProps {
  readonly issue: IssueAnswer;
  readonly value: Omit<FacetValue, 'value'> & { readonly value: string };
  /** Events that were counted. */
  readonly of: number;
}

function Value({ issue, value: { value, events, term }, of }: ValueProps) {
  return (
    <li className={styles.row}>
      <span className={styles.value}>
        <TermLink issue={issue} term={term}>
          {value}
        </TermLink>
      </span>
      <Shares
        summary={`${formatCount(events)} of ${formatCount(of)}`}
        of={of}
        shares={[{ name: value, count: events, tone: 'accent' }]}
      />
      <span className={styles.percent}>{percentOf(events, of)}</span>
    </li>
  );
}

interface FieldProps extends Omit<ValueProps, 'value'> {
  readonly q: string;
  readonly field: string;
  /** Undefined where no counted event has a value. */
  readonly facet: Facet | undefined;
  /** The same of all events. */
  readonly all: Facet | undefined;
}

/** Returns the values in the search first, which may have no event now, then those of most events. */
function valuesOf({ q, facet, all }: FieldProps): readonly FacetValue[] {
  const values = facet?.values ?? [];
  const isChosen = ({ term }: FacetValue) => term !== null && stateOf(q, term) !== null;
  const gone = (all?.values ?? []).filter(
    (one) => isChosen(one) && !values.some(({ term }) => term === one.term),
  );
  return [...gone.map((one) => ({ ...one, events: 0 })), ...values].toSorted(
    (one, other) => Number(isChosen(other)) - Number(isChosen(one)),
  );
}

/** Shows how the values of one field are distributed. */
function Field(props: FieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { issue, of, facet } = props;
  const name = props.field.replace(/^tag:/, 'tag ');
  const values = valuesOf(props);
  const others = { value: 'others', events: facet?.others ?? 0, term: null };
  if (values.length === 0) return null;
  return (
    <section className={styles.field} aria-label={name}>
      <h3 className={styles.name}>{name}</h3>
      <ul>
        {(isOpen ? values : values.slice(0, FEW)).map(({ value, ...one }) => (
          <Value key={value} issue={issue} value={{ ...one, value: value ?? 'none' }} of={of} />
        ))}
        {isOpen && others.events > 0 && <Value issue={issue} value={others} of={of} />}
      </ul>
      {values.length > FEW && (
        <div className={styles.more}>
          <Button look="quiet" isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show more'}
            <VisuallyHidden> of {name}</VisuallyHidden>
          </Button>
        </div>
      )}
    </section>
  );
}

function extentOf(q: string, { of, searched }: IssueFacets): string {
  const which = q === '' ? '' : 'matching ';
  if (of === 0) return `no ${which}events`;
  return `${searched.isAll ? 'all' : 'newest'} ${counted(of, `${which}event`, `${which}events`)}`;
}

/** Shows how the newest events are distributed, or those that match the filter. A click on a value filters by it. */
export function Facets({ issue }: { readonly issue: IssueAnswer }) {
  const { q } = useEventFilter();
  const all = useFacets(issue, '').data?.facets ?? [];
  const { data, error, refetch, isPlaceholderData } = useFacets(issue, q);
  const fields = new Set([...(data?.facets ?? []), ...all].map(({ field }) => field));
  if (data !== undefined && fields.size === 0) return null;
  return (
    <div className={boxes.box}>
      <Section title="Where" {...(data !== undefined && { remark: extentOf(q, data) })}>
        {data === undefined && error === null && <Skeleton label="Loading the distribution" lines={6} />}
        {error !== null && (
          <ProblemNotice what="The distribution" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && (
          <div className={styles.fields} aria-busy={isPlaceholderData}>
            {Array.from(fields, (name) => (
              <Field
                key={name}
                issue={issue}
                q={q}
                field={name}
                facet={data.facets.find(({ field }) => field === name)}
                all={all.find(({ field }) => field === name)}
                of={data.of}
              />
            ))}
          </div>
        )}
      </Section>
    </div>
  );
}
