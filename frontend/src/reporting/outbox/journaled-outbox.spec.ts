import { describeEnvelopeKeep, envelope } from './envelope-outbox.suite.ts';
import { JournaledKeep } from './journaled-outbox.ts';
import { MemoryKeep } from './memory-outbox.ts';

/** A keep that does nothing until it is open, as IndexedDB on a busy disk. */
class SlowKeep extends MemoryKeep {
  readonly #opening = Promise.withResolvers<void>();

  constructor() {
    super(() => 5_000);
  }

  open(): void {
    this.#opening.resolve();
  }

  override async add(kept: ReturnType<typeof envelope>): Promise<void> {
    await this.#opening.promise;
    await super.add(kept);
  }

  override async heads() {
    await this.#opening.promise;
    return super.heads();
  }
}

const NAME = 'errata:/tunnel';

/** A page that ended before its keep had these errors. */
function endedPage(...ids: readonly string[]): void {
  const keep = new JournaledKeep(new SlowKeep(), window, NAME);
  for (const id of ids) void keep.add(envelope(id));
}

beforeEach(() => {
  window.localStorage.clear();
});

describeEnvelopeKeep(
  'behind a journal',
  (now, limits) => new JournaledKeep(new MemoryKeep(now, limits), window, NAME),
);

it('leaves to the next page what its keep had not yet, byte for byte', async () => {
  endedPage('a', 'b');

  const next = new JournaledKeep(new MemoryKeep(() => 5_000), window, NAME);

  expect(await next.heads()).toEqual(
    ['a', 'b'].map((id) => ({ id, isError: true, keptAtMs: 5_000, bytes: 10 })),
  );
  expect(await next.read(envelope('a'))).toEqual(envelope('a').body);
  expect(window.localStorage).toHaveLength(0);
});

it('strikes out what the keep has', async () => {
  const slow = new SlowKeep();
  const keep = new JournaledKeep(slow, window, NAME);
  const added = keep.add(envelope('a'));
  const noted = window.localStorage.length;

  slow.open();
  await added;

  expect(noted).toBe(1);
  expect(window.localStorage).toHaveLength(0);
  expect(await keep.read(envelope('a'))).toEqual(envelope('a').body);
});

it('notes an error also when the keep has long been open: a page may close before it is in there', async () => {
  const slow = new SlowKeep();
  const keep = new JournaledKeep(slow, window, NAME);
  slow.open();
  await keep.heads();

  const added = keep.add(envelope('a'));

  expect(window.localStorage).toHaveLength(1);
  await added;
  expect(window.localStorage).toHaveLength(0);
});

it('notes ten errors of a sensible size and nothing else', () => {
  const keep = new JournaledKeep(new SlowKeep(), window, NAME);

  void keep.add(envelope('lesser', { isError: false }));
  void keep.add(envelope('huge', { bytes: 81 * 1024 }));
  for (let index = 0; index < 12; index += 1) void keep.add(envelope(`error ${index}`));

  expect(Object.keys(window.localStorage)).toEqual(
    Array.from({ length: 10 }, (_, index) => `${NAME} error ${index}`),
  );
});

it('leaves the journal of another tunnel alone, and throws away what is none of ours', async () => {
  endedPage('a');
  window.localStorage.setItem(`${NAME} broken`, '{');
  window.localStorage.setItem(`${NAME} strange`, '[1]');
  window.localStorage.setItem(`${NAME}/other b`, '[5000,""]');
  window.localStorage.setItem('theirs', 'a value of the application');

  const next = new JournaledKeep(new MemoryKeep(() => 5_000), window, NAME);

  expect((await next.heads()).map(({ id }) => id)).toEqual(['a']);
  expect(Object.keys(window.localStorage).sort()).toEqual([`${NAME}/other b`, 'theirs']);
});

it('is a keep as before where the browser has no storage', async () => {
  const page = {
    get localStorage(): Storage {
      throw new DOMException('Denied', 'SecurityError');
    },
  } as Window;
  const keep = new JournaledKeep(new MemoryKeep(() => 5_000), page, NAME);

  await keep.add(envelope('a'));

  expect((await keep.heads()).map(({ id }) => id)).toEqual(['a']);
});
