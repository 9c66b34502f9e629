/** @jest-environment jest-fixed-jsdom */
import { describeEnvelopeOutbox, envelope } from './envelope-outbox.suite.ts';
import { JournaledOutbox } from './journaled-outbox.ts';
import { MemoryOutbox } from './memory-outbox.ts';

/** An outbox that waits until it is open, as IndexedDB does on a busy disk. */
class SlowOutbox extends MemoryOutbox {
  readonly #opening = Promise.withResolvers<void>();

  constructor() {
    super(() => 5_000);
  }

  open(): void {
    this.#opening.resolve();
  }

  override async add(queued: ReturnType<typeof envelope>): Promise<void> {
    await this.#opening.promise;
    await super.add(queued);
  }

  override async heads() {
    await this.#opening.promise;
    return super.heads();
  }
}

const NAME = 'errata:/tunnel';

/** A page that ended before its outbox had these errors. */
function endedPage(...ids: readonly string[]): void {
  const outbox = new JournaledOutbox(new SlowOutbox(), window, NAME);
  for (const id of ids) void outbox.add(envelope(id));
}

beforeEach(() => {
  window.localStorage.clear();
});

describeEnvelopeOutbox(
  'behind a journal',
  (now, limits) => new JournaledOutbox(new MemoryOutbox(now, limits), window, NAME),
);

it('leaves to the next page, byte for byte, the errors that its outbox did not have yet', async () => {
  endedPage('a', 'b');

  const next = new JournaledOutbox(new MemoryOutbox(() => 5_000), window, NAME);

  expect(await next.heads()).toEqual(
    ['a', 'b'].map((id) => ({ id, isError: true, queuedAtMs: 5_000, bytes: 10 })),
  );
  expect(await next.read(envelope('a'))).toEqual(envelope('a').body);
  expect(window.localStorage).toHaveLength(0);
});

it('removes from the journal what the outbox has', async () => {
  const slow = new SlowOutbox();
  const outbox = new JournaledOutbox(slow, window, NAME);
  const added = outbox.add(envelope('a'));
  const noted = window.localStorage.length;

  slow.open();
  await added;

  expect(noted).toBe(1);
  expect(window.localStorage).toHaveLength(0);
  expect(await outbox.read(envelope('a'))).toEqual(envelope('a').body);
});

it('notes an error in the journal also when the outbox is open: the page may close before the commit', async () => {
  const slow = new SlowOutbox();
  const outbox = new JournaledOutbox(slow, window, NAME);
  slow.open();
  await outbox.heads();

  const added = outbox.add(envelope('a'));

  expect(window.localStorage).toHaveLength(1);
  await added;
  expect(window.localStorage).toHaveLength(0);
});

it('notes ten errors of a sensible size and nothing else', () => {
  const outbox = new JournaledOutbox(new SlowOutbox(), window, NAME);

  void outbox.add(envelope('lesser', { isError: false }));
  void outbox.add(envelope('huge', { bytes: 81 * 1024 }));
  for (let index = 0; index < 12; index += 1) void outbox.add(envelope(`error ${index}`));

  expect(Object.keys(window.localStorage)).toEqual(
    Array.from({ length: 10 }, (_, index) => `${NAME} error ${index}`),
  );
});

it('leaves the journal of another tunnel alone, and removes notes of another format', async () => {
  endedPage('a');
  window.localStorage.setItem(`${NAME} broken`, '{');
  window.localStorage.setItem(`${NAME} strange`, '[1]');
  window.localStorage.setItem(`${NAME}/other b`, '[5000,""]');
  window.localStorage.setItem('theirs', 'a value of the application');

  const next = new JournaledOutbox(new MemoryOutbox(() => 5_000), window, NAME);

  expect((await next.heads()).map(({ id }) => id)).toEqual(['a']);
  expect(Object.keys(window.localStorage).sort()).toEqual([`${NAME}/other b`, 'theirs']);
});

it('works without a journal where the browser has no storage', async () => {
  const page = {
    get localStorage(): Storage {
      throw new DOMException('Denied', 'SecurityError');
    },
  } as Window;
  const outbox = new JournaledOutbox(new MemoryOutbox(() => 5_000), page, NAME);

  await outbox.add(envelope('a'));

  expect((await outbox.heads()).map(({ id }) => id)).toEqual(['a']);
});
