import { PrefixedStorage } from './outbox/prefixed-storage.ts';
import { CAPTURE_SOURCES, type Report } from './reporter.ts';
import { isRecord } from './settings.ts';
import { flatten, revive, textOrEmpty } from './thrown-value.ts';

const PREFIX = 'errata.report.';
/** As many as wait in memory; more of them are a loop. */
const MAX_PENDING = 32;
/** As long as envelopes are queued (outbox/queued-envelope.ts). */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;

/** Parses a stored report; null for another format or an expired one. */
function read(stored: unknown, nowMs: number): Report | null {
  if (!isRecord(stored) || typeof stored['eventId'] !== 'string' || typeof stored['at'] !== 'number')
    return null;
  const { eventId, at, source, componentStack, serverDigest, serverReference, release, url } = stored;
  if (Math.abs(nowMs - at) > MAX_AGE_MS) return null;
  return {
    eventId,
    at,
    error: revive(stored['error']),
    context: {
      source: CAPTURE_SOURCES.find((known) => known === source) ?? 'onerror',
      componentStack: textOrEmpty(componentStack),
    },
    serverDigest: typeof serverDigest === 'string' ? serverDigest : null,
    serverReference: typeof serverReference === 'string' ? serverReference : null,
    earlierPage: { release: textOrEmpty(release), url: textOrEmpty(url) },
  };
}

/**
 * Stores errors that wait for the SDK in localStorage. A page that ends before its SDK is loaded (the server stopped
 * right after it served the page) leaves them to the next page. They have no breadcrumbs. It never throws.
 */
export class PendingReports {
  readonly #page: Window;
  readonly #storage: PrefixedStorage;
  readonly #release: string;
  /** Event IDs that this page wrote or loaded, and may remove. */
  readonly #own = new Set<string>();

  constructor(page: Window, release: string) {
    this.#page = page;
    this.#storage = new PrefixedStorage(page, PREFIX);
    this.#release = release;
  }

  add({ error, context, ...report }: Report): void {
    const { origin, pathname } = this.#page.location;
    if (this.#storage.ids().length >= MAX_PENDING) return;
    this.#own.add(report.eventId);
    // Without query and fragment: a fragment can hold a sign-in code.
    const place = { release: this.#release, url: origin + pathname };
    const stored = { ...report, ...context, error: flatten(error), ...place };
    this.#storage.write(report.eventId, stored);
  }

  /** Returns the reports of earlier pages, each once. */
  takeEarlier(nowMs = Date.now()): readonly Report[] {
    const reports: Report[] = [];
    for (const id of this.#storage.ids().filter((other) => !this.#own.has(other))) {
      this.#own.add(id);
      try {
        const report = read(this.#storage.read(id), nowMs);
        if (report !== null) reports.push(report);
      } catch {
        // Another format.
      }
    }
    return reports;
  }

  /** Removes the reports that the SDK has sent or queued. */
  clear(): void {
    for (const id of this.#own) this.#storage.remove(id);
    this.#own.clear();
  }
}
