/**
 * Reporting from the first line of the page: errors are taken at once, the SDK comes after the first paint and gets
 * what waited. It must never delay or break the page it watches.
 */
import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { Reporter } from './reporter.ts';
import { watchWindow } from './watch-window.ts';

/** A hidden tab paints no frame; its errors count too. */
const MAX_PAINT_WAIT_MS = 2_000;
/** A lost chunk or a blocker may be gone at the next try. */
const RETRY_MS = 30_000;

function afterFirstPaint(page: Window, start: () => void): void {
  let isStarted = false;
  const once = () => {
    if (!isStarted) start();
    isStarted = true;
  };
  page.requestAnimationFrame(() => page.setTimeout(once, 0));
  page.setTimeout(once, MAX_PAINT_WAIT_MS);
}

async function connect(page: Window, settings: BrowserSettings, reporter: Reporter): Promise<void> {
  try {
    const { startLateClient } = await import('./late-client.ts');
    reporter.connect(startLateClient(settings));
  } catch {
    page.setTimeout(() => void connect(page, settings, reporter), RETRY_MS);
  }
}

/** Without settings (null) errors are still numbered and shown, but nothing leaves the page. */
export function startReporting(page: Window, settings: BrowserSettings | null): Reporter {
  const reporter = new Reporter();
  watchWindow(page, reporter);
  if (settings !== null && settings.dsn !== '') {
    afterFirstPaint(page, () => void connect(page, settings, reporter));
  }
  return reporter;
}
