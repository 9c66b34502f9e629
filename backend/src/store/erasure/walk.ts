import { setImmediate } from 'node:timers/promises';

/** A step through a table; `next` is the key after which the next one begins, null after the last. */
interface WalkStep<Key> {
  readonly next: Key | null;
}

/** Walks through a table in steps of a few milliseconds, between which reads and ingest run. */
export async function* walk<Key, Step extends WalkStep<Key>>(
  first: Key,
  read: (after: Key) => Promise<Step>,
): AsyncGenerator<Step, void> {
  for (let after: Key | null = first; after !== null;) {
    const step: Step = await read(after);
    yield step;
    after = step.next;
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
}
