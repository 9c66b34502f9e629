import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { json, problem, serve } from '../../api/fake-server.fixture.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { ConnectBox, serverDsn } from './connect-box.tsx';

const DSN = 'https://0123abcd@errata.invalid/1';
const OTHER = 'https://4567cdef@sentry.example:8443/team/42';

function open(answer: () => Response | Promise<Response>) {
  serve({ 'GET /console/api/dsns': answer });
  return render(
    <QueryClientProvider client={createQueryClient(() => undefined, 0)}>
      <ConnectBox />
    </QueryClientProvider>,
  );
}

it.each([
  [DSN, 'https://errata.example', 'https://0123abcd@errata.example/1'],
  [OTHER, 'http://127.0.0.1:3000', 'http://4567cdef@127.0.0.1:3000/42'],
])('puts this server in place of the host of a DSN (%s)', (dsn, origin, expected) => {
  expect(serverDsn(dsn, origin)).toBe(expected);
});

it('shows the DSN and the code for browsers and servers', async () => {
  const { container } = open(() => json({ dsns: [DSN], tunnel: '/tunnel' }));

  expect(await screen.findByText(DSN)).toBeInTheDocument();
  expect(screen.getByText(`Sentry.init({ dsn: '${DSN}', tunnel: '/tunnel' });`)).toBeInTheDocument();
  expect(screen.getByText("Sentry.init({ dsn: 'http://0123abcd@localhost/1' });")).toBeInTheDocument();
  expect(screen.getByText(/^Pages of another origin/)).toHaveTextContent(
    "Pages of another origin use tunnel: 'http://localhost/tunnel'; ERRATA_TUNNEL_ORIGINS must list their origin.",
  );
  expect(await axe(container)).toHaveNoViolations();
});

it('copies a snippet', async () => {
  const user = userEvent.setup();
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text: string) => void copied.push(text) },
    configurable: true,
  });
  open(() => json({ dsns: [DSN], tunnel: '/tunnel' }));

  await user.click(await screen.findByRole('button', { name: 'Copy browser snippet' }));

  expect(copied).toEqual([`Sentry.init({ dsn: '${DSN}', tunnel: '/tunnel' });`]);
});

it('names the project of each of several DSNs, without the key', async () => {
  open(() => json({ dsns: [DSN, OTHER], tunnel: '/tunnel' }));

  const other = (await screen.findByRole('heading', { name: 'sentry.example:8443/team/42' })).closest('li');

  expect(within(other as HTMLElement).getByText(OTHER)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy DSN for errata.invalid/1' })).toBeInTheDocument();
});

it('says that it is loading', () => {
  open(() => new Promise(() => undefined));

  expect(screen.getByRole('status', { name: 'Loading the DSN' })).toBeInTheDocument();
});

it('says what failed', async () => {
  open(() => problem(500, 'Internal Server Error', { detail: 'The list cannot be read.' }));

  expect(await screen.findByText(/The list cannot be read/)).toBeInTheDocument();
});
