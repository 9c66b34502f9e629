/** The page as the sender sees it: visibility, network, timers, clocks and the lock. */
export interface PageLifecycle {
  isHidden(): boolean;
  isOffline(): boolean;
  /** Calls when the page becomes visible again or the network is back. */
  onReturn(listener: () => void): void;
  /** Calls once after a delay in ms; returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void;
  /** Monotonic clock, ms. */
  elapsedMs(): number;
  /** Wall clock, ms since 1970. */
  wallMs(): number;
  /** Runs while holding the lock of the origin; resolves to false at once when another tab holds it. */
  withLock(run: () => Promise<void>): Promise<boolean>;
}

/**
 * `name` is that of a lock that one tab holds at a time; the browser frees it when the tab ends. Without locks two tabs
 * may send the same envelope; the server deduplicates it by its event ID.
 */
export function lifecycleOf(page: Window, name: string): PageLifecycle {
  return {
    isHidden: () => page.document.visibilityState === 'hidden',
    isOffline: () => !page.navigator.onLine,
    onReturn(listener) {
      page.addEventListener('online', listener);
      page.document.addEventListener('visibilitychange', () => {
        if (page.document.visibilityState === 'visible') listener();
      });
    },
    after(delayMs, run) {
      const timer = page.setTimeout(run, delayMs);
      return () => page.clearTimeout(timer);
    },
    elapsedMs: () => performance.now(),
    wallMs: () => Date.now(),
    async withLock(run) {
      let isAsked = false;
      try {
        return await page.navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
          isAsked = true;
          if (lock !== null) await run();
          return lock !== null;
        });
      } catch (error) {
        // Locks are missing on plain HTTP and in sandboxed frames.
        if (isAsked) throw error;
        await run();
        return true;
      }
    },
  };
}
