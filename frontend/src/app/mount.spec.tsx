import { screen } from '@testing-library/react';
import { serve } from '../api/fake-server.fixture.ts';
import { createQueryClient } from '../api/query-client.ts';
import { recordConsole } from '../errors/recorded-console.fixture.ts';
import { Reporter } from '../reporting/reporter.ts';
import { mount } from './mount.tsx';
import { loadPage } from './routes.tsx';

function pageWith(body: string): Document {
  document.body.innerHTML = body;
  return document;
}

afterEach(() => {
  Reflect.deleteProperty(window.history, 'state');
  window.history.replaceState(null, '', '/');
});

it('draws the client into the page', async () => {
  mount(pageWith('<div id="root"></div>'), new Reporter(), null);

  expect(await screen.findByRole('heading', { level: 1, name: 'Errata' })).toBeInTheDocument();
});

// The first one also loads the frame, which is all that an unknown path needs.
it.each([
  ['/console/nope', '404'],
  ['/console/issues', 'Issues'],
])('draws a page whose chunk is loaded without a placeholder: %s', async (path, name) => {
  window.history.replaceState(null, '', path);
  serve({});
  await loadPage(
    window.location,
    createQueryClient(() => undefined),
  );
  const page = pageWith('<div id="root"></div>');
  const first = new Promise<void>((resolve) => {
    new MutationObserver(() => resolve()).observe(page.body, { childList: true, subtree: true });
  });

  mount(page, new Reporter(), null);
  await first;

  expect(screen.getByRole('heading', { level: 1, name })).toBeInTheDocument();
});

it('asks for the answer before the page is drawn', async () => {
  window.history.replaceState(null, '', '/console/e/7KQ4-M2XD?project=1');
  const server = serve({});

  mount(pageWith('<div id="root"></div>'), new Reporter(), null);
  await screen.findByRole('heading', { level: 1, name: '7KQ4-M2XD' });

  expect(server.requests[0]).toBe('GET /console/api/issues/7KQ4-M2XD?project=1');
});

it('says the sentence without React when React itself has given up', async () => {
  const printed = recordConsole();
  const page = pageWith('<div id="root"></div>');
  // The router reads it first, above every boundary.
  Object.defineProperty(window.history, 'state', {
    configurable: true,
    get: () => {
      throw new Error('history is forbidden here');
    },
  });

  const reporter = new Reporter();
  reporter.connect(() => undefined);
  mount(page, reporter, null);
  await screen.findByRole('alert');

  expect(page.body).toHaveTextContent(
    /^Application error: a client-side exception has occurred \(see the browser console for more information\)\.$/,
  );
  expect(printed.flat().join('\n')).toMatch(/Reference: [0-9A-Z]{4}-[0-9A-Z]{4}\nEvent ID: [0-9a-f]{32}/);
});

it('fails loudly in a page that is not its own', () => {
  expect(() => mount(pageWith(''), new Reporter(), null)).toThrow('index.html has no #root');
});
