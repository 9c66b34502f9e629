/** @jest-environment jest-fixed-jsdom */
import { lifecycleOf } from './page-lifecycle.ts';

/** A window of its own that shows and hides, and goes online and offline. */
function pageOf() {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const page = frame.contentWindow;
  if (page === null) throw new Error('no window');
  const show = (state: DocumentVisibilityState) => {
    Object.defineProperty(page.document, 'visibilityState', { value: state, configurable: true });
    page.document.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, show, life: lifecycleOf(page, 'errata:/tunnel') };
}

it('says when the page comes back into view or online, and not when it goes', () => {
  const { page, show, life } = pageOf();
  const seen: string[] = [];
  life.onReturn(() => seen.push(life.isHidden() ? 'hidden' : 'visible'));

  show('hidden');
  show('visible');
  page.dispatchEvent(new Event('offline'));
  page.dispatchEvent(new Event('online'));

  expect(seen).toEqual(['visible', 'visible']);
});

it('gives everybody a turn where the browser has no locks', async () => {
  const { life } = pageOf();
  const turns: string[] = [];

  const had = await life.withLock(async () => void turns.push('mine'));

  expect([had, turns]).toEqual([true, ['mine']]);
});

/** Locks as in browsers, `ifAvailable` only. */
function withLocks(page: Window) {
  let isHeld = false;
  const locks = {
    async request(_name: string, _options: unknown, run: (lock: object | null) => Promise<unknown>) {
      if (isHeld) return run(null);
      isHeld = true;
      try {
        return await run({});
      } finally {
        isHeld = false;
      }
    },
  };
  Object.defineProperty(page.navigator, 'locks', { value: locks });
}

it('gives no turn while another tab has it, and one afterwards', async () => {
  const { page, life } = pageOf();
  withLocks(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  const turns: string[] = [];

  const first = life.withLock(() => promise);
  const second = await life.withLock(async () => void turns.push('second'));
  resolve();
  await first;
  const third = await life.withLock(async () => void turns.push('third'));

  expect([second, third, turns]).toEqual([false, true, ['third']]);
});

it('does not run twice what failed in its turn', async () => {
  const { page, life } = pageOf();
  withLocks(page);
  let runs = 0;

  const turn = life.withLock(async () => {
    runs += 1;
    throw new Error('failed in its turn');
  });

  await expect(turn).rejects.toThrow('failed in its turn');
  expect(runs).toBe(1);
});

it('cancels the call that was due later', async () => {
  const { page, life } = pageOf();
  const done: string[] = [];

  const callOff = life.after(0, () => done.push('called off'));
  callOff();
  // oxlint-disable-next-line timing/sleep -- a second timer of 0 ms, which fires after the one under test
  await new Promise((resolve) => page.setTimeout(resolve, 0));

  expect(done).toEqual([]);
});
