import { IDBFactory } from 'fake-indexeddb';
import { FallbackOutbox } from '../offline-transport.ts';
import { describeEnvelopeOutbox, envelope } from './envelope-outbox.suite.ts';
import { EnvelopeOutbox } from './envelope-outbox.ts';
import { IndexedDbOutbox } from './indexed-db-outbox.ts';
import { MemoryOutbox } from './memory-outbox.ts';

/** A browser that refuses IndexedDB, as Firefox does with a broken profile. */
class RefusingFactory extends IDBFactory {
  override open(): never {
    throw new DOMException('A mutation operation was attempted', 'InvalidStateError');
  }
}

/** An IndexedDB that starts to fail, as on a full disk. */
class FailingOutbox extends EnvelopeOutbox {
  readonly #outbox: EnvelopeOutbox;
  isFailing = false;

  constructor(outbox: EnvelopeOutbox) {
    super();
    this.#outbox = outbox;
  }

  add(kept: ReturnType<typeof envelope>) {
    return this.#checked(() => this.#outbox.add(kept));
  }

  heads() {
    return this.#checked(() => this.#outbox.heads());
  }

  read(head: ReturnType<typeof envelope>) {
    return this.#checked(() => this.#outbox.read(head));
  }

  remove(head: ReturnType<typeof envelope>) {
    return this.#checked(() => this.#outbox.remove(head));
  }

  async #checked<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.isFailing) throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
    return run();
  }
}

describeEnvelopeOutbox('in memory', (now, limits) => new MemoryOutbox(now, limits));
describeEnvelopeOutbox(
  'in IndexedDB',
  (now, limits) => new IndexedDbOutbox(new IDBFactory(), 'e', now, limits),
);
describeEnvelopeOutbox(
  'in IndexedDB that the browser refuses',
  (now, limits) =>
    new FallbackOutbox(new IndexedDbOutbox(new RefusingFactory(), 'e', now), new MemoryOutbox(now, limits)),
);

it('keeps envelopes for the next page', async () => {
  const factory = new IDBFactory();
  await new IndexedDbOutbox(factory, 'e', () => 5_000).add(envelope('a'));

  const next = new IndexedDbOutbox(factory, 'e', () => 5_000);

  expect(await next.read(envelope('a'))).toEqual(envelope('a').body);
});

it('is separate for another tunnel on the same origin', async () => {
  const factory = new IDBFactory();
  await new IndexedDbOutbox(factory, 'errata:/tunnel', () => 5_000).add(envelope('a'));

  expect(await new IndexedDbOutbox(factory, 'errata:/other', () => 5_000).heads()).toEqual([]);
});

it('rejects, and does not throw, where the browser refuses', async () => {
  const outbox = new IndexedDbOutbox(new RefusingFactory(), 'e');

  await expect(outbox.add(envelope('a'))).rejects.toThrow('mutation');
});

it('opens the database again after its connection was closed', async () => {
  const factory = new IDBFactory();
  const outbox = new IndexedDbOutbox(factory, 'e', () => 5_000);
  await outbox.add(envelope('a'));
  const cleared = factory.deleteDatabase('e');
  await new Promise((resolve) => cleared.addEventListener('success', resolve));

  await outbox.add(envelope('b'));

  expect((await outbox.heads()).map(({ id }) => id)).toEqual(['b']);
});

it('queues in memory while the database fails, and returns both when it works again', async () => {
  const failing = new FailingOutbox(new MemoryOutbox(() => 5_000));
  const outbox = new FallbackOutbox(failing, new MemoryOutbox(() => 5_000));
  await outbox.add(envelope('a'));

  failing.isFailing = true;
  await outbox.add(envelope('b'));
  const whileFailing = await outbox.heads();
  failing.isFailing = false;
  const afterwards = await outbox.heads();

  expect(whileFailing.map(({ id }) => id)).toEqual(['b']);
  expect(afterwards.map(({ id }) => id)).toEqual(['a', 'b']);
});

it('keeps an envelope that it can neither read nor remove at the moment', async () => {
  const failing = new FailingOutbox(new MemoryOutbox(() => 5_000));
  const outbox = new FallbackOutbox(failing, new MemoryOutbox(() => 5_000));
  await outbox.add(envelope('a'));

  failing.isFailing = true;
  const unread = await outbox.read(envelope('a'));
  await outbox.remove(envelope('a'));
  failing.isFailing = false;

  expect(unread).toBeNull();
  expect(await outbox.read(envelope('a'))).toEqual(envelope('a').body);
});
