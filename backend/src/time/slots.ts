/**
 * Holds objects of short life by number, such as the requests in flight; a number is used again after its object has left.
 *
 * A `Set` or `Map` that gains and loses an object with each request makes the requests expensive: V8 copies its table each
 * time the removed entries have filled it, and the table before stays in the old generation with its last objects. They
 * count as alive until that generation is collected, with all that they hold: sockets, bodies, promises. The CPU time of an
 * accepted envelope grew by a third from one such set.
 */
export class Slots<T extends object> {
  readonly #objects: (T | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#objects.length - this.#free.length;
  }

  /** Returns the number of the object, until it is removed. */
  add(object: T): number {
    const slot = this.#free.pop() ?? this.#objects.length;
    this.#objects[slot] = object;
    return slot;
  }

  /** Removes and returns the object of a number; undefined if there is none. */
  remove(slot: number): T | undefined {
    const object = this.#objects[slot];
    if (object === undefined) return undefined;
    this.#objects[slot] = undefined;
    this.#free.push(slot);
    return object;
  }

  /** Returns the objects of now: each may be removed while a caller goes through them. */
  all(): readonly T[] {
    return this.#objects.filter((object) => object !== undefined);
  }
}
