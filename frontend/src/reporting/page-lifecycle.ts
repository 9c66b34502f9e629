/** What sending later needs to know of its page. */
export interface PageLifecycle {
  isHidden(): boolean;
  isOffline(): boolean;
  /** Calls when the page comes into view again or the network comes back. */
  onReturn(listener: () => void): void;
  /** Calls once after a time in ms; answers how to call it off. */
  after(delayMs: number, run: () => void): () => void;
  /** A clock that nobody sets, in ms. */
  elapsedMs(): number;
  /** Wall clock, ms since 1970. */
  wallMs(): number;
  /** Runs while no other tab of the origin has its turn; false, at once, when one has. */
  withLock(run: () => Promise<void>): Promise<boolean>;
}

/**
 * `name`: of the lock that only one tab holds at a time; the browser frees it when the tab dies. Without
 * locks tabs may send the same envelope twice; the server knows it by its event id.
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
        // No locks on plain http, and none for a sandboxed frame.
        if (isAsked) throw error;
        await run();
        return true;
      }
    },
  };
}
