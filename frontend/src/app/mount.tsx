import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { CLIENT_ERROR_TEXT } from '@errata/backend/contract/texts.ts';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/query-client.ts';
import { printFailure } from '../errors/print-failure.ts';
import type { Reporter } from '../reporting/reporter.ts';
import { App } from './app.tsx';
import { loadPage } from './routes.tsx';

/** React unmounted: not even the boundary could be drawn. The sentence needs no React. */
function showBareSentence(container: Element): void {
  const sentence = container.ownerDocument.createElement('h1');
  sentence.textContent = CLIENT_ERROR_TEXT;
  const alert = container.ownerDocument.createElement('div');
  alert.setAttribute('role', 'alert');
  alert.append(sentence);
  const main = container.ownerDocument.createElement('main');
  main.append(alert);
  container.replaceChildren(main);
}

/** How long a page's chunk is waited for before its place-holder is drawn, ms. */
const PATIENCE_MS = 400;

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}

/**
 * Draws the client. A page's chunk comes along with the first files, as a rule before them; drawn without it, React
 * would show the place-holder and hold on to it for 300 ms. What the page shows is asked for meanwhile.
 */
export function mount(page: Document, reporter: Reporter, settings: BrowserSettings | null): void {
  const container = page.querySelector('#root');
  if (container === null) throw new Error('index.html has no #root');
  const root = createRoot(container, {
    // The boundary prints and reports what it caught; React's own line would say it twice.
    onCaughtError: () => undefined,
    onUncaughtError: (error, { componentStack }) => {
      printFailure(error, reporter.capture(error, { source: 'root', componentStack }));
      showBareSentence(container);
    },
  });
  const client = createQueryClient((error) => void reporter.capture(error, { source: 'query' }));
  const draw = () =>
    root.render(<App reporter={reporter} client={client} hasDemo={settings?.demo ?? false} />);
  // A chunk that does not come is for the boundary to say.
  void Promise.race([loadPage(page.location, client), patience()]).then(draw, draw);
}
