import { HOUR_MS } from '../../time/iso.ts';
import { RECEIVED_MS } from './envelopes.fixture.ts';
import type { SearchedEvent } from './searched-events.fixture.ts';

/** The tests' own way to search: for each term whether an event matches. */
type EventTest = (event: SearchedEvent) => boolean;

const HOUR = RECEIVED_MS - (RECEIVED_MS % HOUR_MS);

export const OF_EVENTS: Readonly<Record<string, EventTest>> = {
  'release:shop@1.4.2': ({ release }) => release === 'shop@1.4.2',
  'release:1.4.2': ({ release }) => release === 'shop@1.4.2' || release === '1.4.2',
  'release:SHOP@1.4.2': () => false,
  'release:2.0.0': ({ release }) => release === 'web@2.0.0+7',
  'user:ANN@shop.example': ({ user }) => user === 'ann@shop.example',
  'user:id-ann@shop.example': ({ user }) => user === 'ann@shop.example',
  'user:"ben ode"': ({ user }) => user === 'Ben Ode',
  'url:/checkout': ({ path }) => path.startsWith('/checkout'),
  'url:/Checkout': () => false,
  'url:shop.example/health': ({ path }) => path === '/health',
  'url:other.example/health': () => false,
  'url:"/Über uns"': ({ path }) => path === '/Über uns',
  'environment:Production': ({ environment }) => environment === 'production',
  'environment:staging': ({ environment }) => environment === 'Staging',
  'server:web-1': ({ server }) => server === 'web-1',
  'server:web-10': ({ server }) => server === 'WEB-10',
  'browser:chrome': ({ browser }) => browser === 'Chrome 156',
  'browser:"firefox 140"': ({ browser }) => browser === 'Firefox 140',
  'browser:"firefox 14"': ({ browser }) => browser === 'Firefox 140',
  'browser:safari': () => false,
  'tag:plan:GOLD': ({ plan }) => plan === 'gold',
  'tag:plan:"gold plus"': ({ plan }) => plan === 'Gold plus',
  'tag:"plan:GRÜN"': ({ plan }) => plan === 'Grün',
  'tag:size:gold': () => false,
  'last:24h': ({ timeMs }) => timeMs >= RECEIVED_MS - 24 * HOUR_MS,
  'at:2026-11-20': ({ timeMs }) => new Date(timeMs).toISOString().startsWith('2026-11-20'),
  'at:2026-11-21T10..2026-11-21T11': ({ timeMs }) => timeMs >= HOUR - 2 * HOUR_MS && timeMs < HOUR,
};

export interface Term {
  readonly text: string;
  readonly isNegated: boolean;
}

/** Returns the terms with these texts, and those that exclude them. */
export function bothWays(texts: readonly string[]): readonly Term[] {
  return texts.flatMap((text) => [
    { text, isNegated: false },
    { text, isNegated: true },
  ]);
}

/** Each term alone, and each one with every third of the others: all kinds meet. */
export function searchesWith(terms: readonly Term[]): readonly (readonly Term[])[] {
  const pairs = terms.flatMap((term, at) =>
    terms.filter((_, other) => other > at && (at + other) % 3 === 0).map((other) => [term, other]),
  );
  return [...terms.map((term) => [term]), ...pairs];
}

export function queryOf(terms: readonly Term[]): string {
  return terms.map(({ text, isNegated }) => (isNegated ? `-${text}` : text)).join(' ');
}

/** Returns whether an event has all terms. Those of issues count as true. */
export function isMatch(event: SearchedEvent, terms: readonly Term[]): boolean {
  return terms.every(({ text, isNegated }) => (OF_EVENTS[text]?.(event) ?? !isNegated) !== isNegated);
}
