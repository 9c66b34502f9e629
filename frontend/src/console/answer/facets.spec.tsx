import type { IssueFacets } from '@errata/backend/contract/facets-api.ts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem } from '../../api/fake-server.fixture.ts';
import { ALL_WELL, ANSWER, occurrence, openConsole } from '../console.fixture.tsx';

const PATH = '/console/e/7KQ4-M2XD';
const API = 'GET /console/api/issues/7KQ4-M2XD';
const FACETS = `${API}/facets`;

function value(name: string | null, events: number) {
  return { value: name, events, term: name === null ? null : `browser:${name}` };
}

const BROWSERS = {
  field: 'browser',
  values: [value('Safari', 710), value('Chrome', 200), value(null, 80), value('Edge', 4), value('Opera', 1)],
  others: 5,
};
const PLANS = {
  field: 'tag:plan',
  values: [{ value: 'gold', events: 1_000, term: 'tag:plan:gold' }],
  others: 0,
};
const ALL: IssueFacets = {
  of: 1_000,
  searched: { events: 1_000, since: '2026-11-20T03:00:00Z', isAll: false },
  facets: [BROWSERS, PLANS],
  changed: [],
};

function showing(all: Partial<IssueFacets>, others: object = {}) {
  return { ...ALL_WELL, [FACETS]: () => json({ ...ALL, ...all }), ...others };
}

/** Answers for a filter: its facets and its events. */
function filteredBy(q: string, facets: Partial<IssueFacets>, path: number) {
  const query = `?q=${encodeURIComponent(q)}`;
  return {
    [FACETS + query]: () => json({ ...ALL, ...facets }),
    [`${API}/events${query}`]: () => json({ events: [occurrence(path)], next: null, searched: ALL.searched }),
  };
}

async function rowsOf(field: string): Promise<readonly (string | null)[]> {
  const part = within(await screen.findByRole('region', { name: field }));
  return part.getAllByRole('listitem').map((row) => row.textContent);
}

it('shows the share of each value of all counted events, also of events without one', async () => {
  const user = userEvent.setup();
  const { container } = openConsole(PATH, showing({}));

  expect(await rowsOf('browser')).toEqual([
    expect.stringMatching(/^Safari.*71 %$/),
    expect.stringMatching(/^Chrome.*20 %$/),
    expect.stringMatching(/^none.*8 %$/),
  ]);
  expect(await rowsOf('tag plan')).toEqual([expect.stringMatching(/^gold.*100 %$/)]);
  expect(screen.getByText('newest 1,000 events')).toBeInTheDocument();
  expect(screen.getByRole('img', { name: '710 of 1,000' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'none' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Show more of browser', expanded: false }));

  expect((await rowsOf('browser')).slice(3)).toEqual([
    expect.stringMatching(/^Edge.*<1 %$/),
    expect.stringMatching(/^Opera.*<1 %$/),
    expect.stringMatching(/^others.*1 %$/),
  ]);
  expect(await axe(container)).toHaveNoViolations();
});

it('filters the events by a clicked value, then excludes it, then shows all', async () => {
  const user = userEvent.setup();
  openConsole(
    PATH,
    showing(
      {},
      {
        ...filteredBy(
          'browser:Safari',
          { of: 710, facets: [{ ...BROWSERS, values: [value('Safari', 710)] }] },
          4,
        ),
        ...filteredBy(
          '-browser:Safari',
          { of: 290, facets: [{ ...BROWSERS, values: [value('Chrome', 200)] }] },
          5,
        ),
      },
    ),
  );

  await user.click(await screen.findByRole('link', { name: 'Safari' }));
  expect(await screen.findByText('/checkout/4')).toBeInTheDocument();
  expect(await screen.findByText('newest 710 matching events')).toBeInTheDocument();
  expect(await rowsOf('browser')).toEqual([expect.stringMatching(/^Safari.*100 %$/)]);
  expect(screen.queryByRole('region', { name: 'tag plan' })).not.toBeInTheDocument();

  await user.click(screen.getByRole('link', { name: 'Safari', current: true }));
  expect(await screen.findByText('/checkout/5')).toBeInTheDocument();
  expect(await screen.findByText('newest 290 matching events')).toBeInTheDocument();
  expect(await rowsOf('browser')).toEqual([
    expect.stringMatching(/^not Safari.* 0 %$|^not Safari.*0 %$/),
    expect.stringMatching(/^Chrome.*69 %$/),
  ]);
  expect(screen.getByTestId('address')).toHaveTextContent(`${PATH}?q=-browser%3ASafari`);

  await user.click(screen.getByRole('link', { name: 'not Safari' }));
  expect(await screen.findByText('/checkout/2')).toBeInTheDocument();
  expect(screen.getByText('newest 1,000 events')).toBeInTheDocument();
});

it.each([
  [{ of: 2, searched: { ...ALL.searched, isAll: true } }, '', 'all 2 events'],
  [{ of: 1, searched: { ...ALL.searched, isAll: true } }, 'user:x', 'all 1 matching event'],
  [{ of: 0 }, 'user:x', 'no matching events'],
])('says which events it has counted: %j', async (counted, q, words) => {
  openConsole(`${PATH}?q=${encodeURIComponent(q)}`, showing(counted, filteredBy(q, counted, 1)));

  expect(await screen.findByText(words)).toBeInTheDocument();
});

it.each([
  ['of events without a value', {}, true],
  ['of one event', { events: 1 }, false],
])('shows no distribution %s', async (_name, change, isRequested) => {
  const answers = showing({ facets: [] }, { [API]: () => json({ ...ANSWER, ...change }) });
  const { requests } = openConsole(PATH, answers);

  await screen.findByText('/checkout/2');

  expect(screen.queryByRole('region', { name: 'Where' })).not.toBeInTheDocument();
  expect(requests.includes(FACETS)).toBe(isRequested);
});

it('shows the answer while the distribution is missing, and says why', async () => {
  const user = userEvent.setup();
  const answers = [problem(500, 'Internal Server Error'), json(ALL)];
  openConsole(PATH, { ...ALL_WELL, [FACETS]: () => answers.shift() ?? json(ALL) });

  expect(await screen.findByText('return items.length;')).toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));

  expect(await rowsOf('tag plan')).toHaveLength(1);
});

it('names each difference in one line', async () => {
  const { container } = openConsole(
    PATH,
    showing({
      changed: [
        { kind: 'new', release: 'shop@1.4.2' },
        { kind: 'burst', times: 12 },
        { kind: 'only', field: 'browser', value: 'Safari', term: 'browser:Safari' },
        { kind: 'only', field: 'tag:plan', value: 'gold', term: 'tag:plan:gold' },
      ],
    }),
  );

  const line = await screen.findByText(/^new since/);

  expect(line).toHaveTextContent('new since shop@1.4.2 · 12× the usual hour · only Safari · only plan:gold');
  expect(line.previousElementSibling).toBe(screen.getByRole('heading', { level: 1 }));
  expect(await axe(container)).toHaveNoViolations();
});
