import { IDBFactory } from 'fake-indexeddb';
import { SafeKeep } from '../offline-transport.ts';
import { describeEnvelopeKeep, envelope } from './envelope-outbox.suite.ts';
import { EnvelopeKeep } from './envelope-outbox.ts';
import { IndexedDbKeep } from './indexed-db-outbox.ts';
import { MemoryKeep } from './memory-outbox.ts';

/** A browser that refuses everything, as Firefox does in a profile that is broken. */
class RefusingFactory extends IDBFactory {
  override open(): never {
    throw new DOMException('A mutation operation was attempted', 'InvalidStateError');
  }
}

/** IndexedDB that fails from some moment on, as with a disk that fills up. */
class FailingKeep extends EnvelopeKeep {
  readonly #keep: EnvelopeKeep;
  isFailing = false;

  constructor(keep: EnvelopeKeep) {
    super();
    this.#keep = keep;
  }

  add(kept: ReturnType<typeof envelope>) {
    return this.#checked(() => this.#keep.add(kept));
  }

  heads() {
    return this.#checked(() => this.#keep.heads());
  }

  read(head: ReturnType<typeof envelope>) {
    return this.#checked(() => this.#keep.read(head));
  }

  remove(head: ReturnType<typeof envelope>) {
    return this.#checked(() => this.#keep.remove(head));
  }

  async #checked<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.isFailing) throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
    return run();
  }
}

describeEnvelopeKeep('in memory', (now, limits) => new MemoryKeep(now, limits));
describeEnvelopeKeep('in IndexedDB', (now, limits) => new IndexedDbKeep(new IDBFactory(), 'e', now, limits));
describeEnvelopeKeep(
  'in IndexedDB that the browser refuses',
  (now, limits) =>
    new SafeKeep(new IndexedDbKeep(new RefusingFactory(), 'e', now), new MemoryKeep(now, limits)),
);

it('is there for the next page', async () => {
  const factory = new IDBFactory();
  await new IndexedDbKeep(factory, 'e', () => 5_000).add(envelope('a'));

  const next = new IndexedDbKeep(factory, 'e', () => 5_000);

  expect(await next.read(envelope('a'))).toEqual(envelope('a').body);
});

it('is apart for another tunnel on the same origin', async () => {
  const factory = new IDBFactory();
  await new IndexedDbKeep(factory, 'errata:/tunnel', () => 5_000).add(envelope('a'));

  expect(await new IndexedDbKeep(factory, 'errata:/other', () => 5_000).heads()).toEqual([]);
});

it('rejects, and does not throw, where the browser refuses', async () => {
  const keep = new IndexedDbKeep(new RefusingFactory(), 'e');

  await expect(keep.add(envelope('a'))).rejects.toThrow('mutation');
});

it('opens anew after its connection was closed under it', async () => {
  const factory = new IDBFactory();
  const keep = new IndexedDbKeep(factory, 'e', () => 5_000);
  await keep.add(envelope('a'));
  const cleared = factory.deleteDatabase('e');
  await new Promise((resolve) => cleared.addEventListener('success', resolve));

  await keep.add(envelope('b'));

  expect((await keep.heads()).map(({ id }) => id)).toEqual(['b']);
});

it('holds in memory what a keep that began to fail no longer takes, and gives all when it is well again', async () => {
  const failing = new FailingKeep(new MemoryKeep(() => 5_000));
  const keep = new SafeKeep(failing, new MemoryKeep(() => 5_000));
  await keep.add(envelope('a'));

  failing.isFailing = true;
  await keep.add(envelope('b'));
  const whileFailing = await keep.heads();
  failing.isFailing = false;
  const afterwards = await keep.heads();

  expect(whileFailing.map(({ id }) => id)).toEqual(['b']);
  expect(afterwards.map(({ id }) => id)).toEqual(['a', 'b']);
});

it('keeps what it can neither read nor remove for the moment', async () => {
  const failing = new FailingKeep(new MemoryKeep(() => 5_000));
  const keep = new SafeKeep(failing, new MemoryKeep(() => 5_000));
  await keep.add(envelope('a'));

  failing.isFailing = true;
  const unread = await keep.read(envelope('a'));
  await keep.remove(envelope('a'));
  failing.isFailing = false;

  expect(unread).toBeNull();
  expect(await keep.read(envelope('a'))).toEqual(envelope('a').body);
});
