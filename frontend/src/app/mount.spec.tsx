import { screen } from '@testing-library/react';
import { keepConsole } from '../errors/kept-console.fixture.ts';
import { Reporter } from '../reporting/reporter.ts';
import { mount } from './mount.tsx';

function pageWith(body: string): Document {
  document.body.innerHTML = body;
  return document;
}

it('draws the client into the page', async () => {
  mount(pageWith('<div id="root"></div>'), new Reporter(), null);

  expect(await screen.findByRole('heading', { level: 1, name: 'Errata' })).toBeInTheDocument();
});

it('says the sentence without React when React itself has given up', async () => {
  const printed = keepConsole();
  const page = pageWith('<div id="root"></div>');
  // The router asks for it first, above every boundary.
  Object.defineProperty(window.history, 'state', {
    get: () => {
      throw new Error('history is forbidden here');
    },
  });

  mount(page, new Reporter(), null);
  await screen.findByRole('alert');

  expect(page.body).toHaveTextContent(
    /^Application error: a client-side exception has occurred \(see the browser console for more information\)\.$/,
  );
  expect(printed.flat().join('\n')).toMatch(/Reference: [0-9A-Z]{4}-[0-9A-Z]{4}\nEvent id: [0-9a-f]{32}/);
});

it('fails loudly in a page that is not its own', () => {
  expect(() => mount(pageWith(''), new Reporter(), null)).toThrow('index.html has no #root');
});
