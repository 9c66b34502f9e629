/**
 * Reporting from the first line of the page: errors are taken at once, the SDK comes a second after the first paint
 * (or with the first error) and gets what waited, here and on earlier pages. It must never delay or break the page it
 * watches.
 */
import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { HeldReports } from './pending-reports.ts';
import { Reporter } from './reporter.ts';
import { watchWindow } from './watch-window.ts';

/** From the first frame on: the page's own files and answers come first on a slow network. */
const AFTER_PAINT_MS = 1_000;
/** A hidden tab paints no frame; its errors count too. */
const MAX_PAINT_WAIT_MS = 3_000;
/** A lost chunk or a blocker may be gone at the next try. */
const RETRY_MS = 30_000;

function afterFirstPaint(page: Window, start: () => void): void {
  page.requestAnimationFrame(() => page.setTimeout(start, AFTER_PAINT_MS));
  page.setTimeout(start, MAX_PAINT_WAIT_MS);
}

async function connect(
  page: Window,
  settings: BrowserSettings,
  reporter: Reporter,
  held: HeldReports,
): Promise<void> {
  try {
    const { startLateClient, sentOrKept } = await import('./late-client.ts');
    const send = startLateClient(settings);
    for (const report of held.takeUp()) send(report);
    reporter.connect(send);
    void sentOrKept().then((isSafe) => isSafe && held.letGo());
  } catch {
    page.setTimeout(() => void connect(page, settings, reporter, held), RETRY_MS);
  }
}

/** Without settings (null) errors are still numbered and shown, but nothing leaves the page. */
export function startReporting(page: Window, settings: BrowserSettings | null): Reporter {
  if (settings === null || settings.dsn === '') {
    const silent = new Reporter();
    watchWindow(page, silent);
    return silent;
  }
  const held = new HeldReports(page, settings.release);
  let isStarted = false;
  const start = () => {
    if (!isStarted) void connect(page, settings, reporter, held);
    isStarted = true;
  };
  const reporter = new Reporter(Date.now, (report) => {
    held.hold(report);
    // Whoever meets an error may leave the page for it: no time for the paint.
    start();
  });
  watchWindow(page, reporter);
  afterFirstPaint(page, start);
  return reporter;
}
