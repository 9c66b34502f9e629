import { browserName, type FacetEvent, facetsOf, termOf } from './facet-counts.ts';

const NONE: FacetEvent = { release: null, browser: null, environment: null, server: null, tags: null };

function events(...some: readonly Partial<FacetEvent>[]): readonly FacetEvent[] {
  return some.map((event) => ({ ...NONE, ...event }));
}

describe('facetsOf', () => {
  it('counts the values of each field, with the events that have none', () => {
    const facets = facetsOf(
      events(
        { release: 'shop@1', browser: 'Chrome 156 on Linux' },
        { release: 'shop@1', browser: 'Chrome 155 on Windows' },
        { release: 'shop@2', browser: 'Mobile Safari 18 on iOS' },
        {},
      ),
    );

    expect(facets).toEqual([
      {
        field: 'release',
        values: [
          { value: 'shop@1', events: 2, term: 'release:shop@1' },
          { value: 'shop@2', events: 1, term: 'release:shop@2' },
          { value: null, events: 1, term: null },
        ],
        others: 0,
      },
      {
        field: 'browser',
        values: [
          { value: 'Chrome', events: 2, term: 'browser:Chrome' },
          { value: 'Mobile Safari', events: 1, term: 'browser:"Mobile Safari"' },
          { value: null, events: 1, term: null },
        ],
        others: 0,
      },
    ]);
  });

  it('counts values as one that a search finds as one, in the words of the newest', () => {
    const [facet] = facetsOf(events({ environment: 'Staging' }, { environment: 'staging' }));

    expect(facet?.values).toEqual([{ value: 'Staging', events: 2, term: 'environment:Staging' }]);
  });

  it('lists ten values and counts the others', () => {
    const [facet] = facetsOf(
      events(...Array.from({ length: 25 }, (_, at) => ({ server: `web-${at % 12}` }))),
    );

    expect([facet?.values.length, facet?.values[0]?.events, facet?.others]).toEqual([10, 3, 4]);
  });

  it('has five tags, those that are set most often', () => {
    const tagged = (...names: readonly string[]) => ({
      tags: JSON.stringify(names.map((name) => [name, 'on'])),
    });
    const facets = facetsOf(events(tagged('a', 'b', 'c', 'd', 'e', 'f'), tagged('f', 'e', 'd'), tagged('f')));

    expect(facets.map(({ field }) => field)).toEqual(['tag:f', 'tag:d', 'tag:e', 'tag:a', 'tag:b']);
    expect(facets[1]?.values).toEqual([
      { value: 'on', events: 2, term: 'tag:d:on' },
      { value: null, events: 1, term: null },
    ]);
  });

  it('has no facet that no event has', () => {
    expect(facetsOf(events({}))).toEqual([]);
    expect(facetsOf([])).toEqual([]);
  });
});

it.each([
  ['Chrome 156 on Linux', 'Chrome'],
  ['Samsung Internet for Android 20 on Android', 'Samsung Internet for Android'],
  ['Firefox', 'Firefox'],
  ['Safari on macOS', 'Safari'],
  [null, null],
])('names the browser of %s', (label, name) => {
  expect(browserName(label)).toBe(name);
});

it.each([
  ['server', 'web-1', 'server:web-1'],
  ['tag:plan', 'gold plus', 'tag:"plan:gold plus"'],
  ['server', 'say"hi', 'server:say"hi'],
  ['server', '"web"', null],
  ['server', 'say "hi"', null],
])('makes a term of %s %s', (field, value, term) => {
  expect(termOf(field, value)).toBe(term);
});
