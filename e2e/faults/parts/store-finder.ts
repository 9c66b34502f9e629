import type { FindAnswer } from '../../../backend/src/contract/find-api.ts';
import { type ErrataProcess, TOKEN } from '../../fixtures/errata-process.ts';

/** Looks events up with a console session. */
export class StoreFinder {
  readonly #errata: ErrataProcess;
  readonly #cookie: string;

  private constructor(errata: ErrataProcess, cookie: string) {
    this.#errata = errata;
    this.#cookie = cookie;
  }

  static async signIn(errata: ErrataProcess): Promise<StoreFinder> {
    const answer = await fetch(`${errata.url}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: errata.url },
      body: JSON.stringify({ token: TOKEN }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie === undefined) throw new Error(`no session: ${answer.status}`);
    return new StoreFinder(errata, cookie);
  }

  async has(eventId: string): Promise<boolean> {
    const answer = await fetch(`${this.#errata.url}/console/api/events/${eventId}`, {
      headers: { cookie: this.#cookie },
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  }

  /** Returns whether a search for the reference of an error page finds its event. */
  async hasReference(reference: string): Promise<boolean> {
    const answer = await fetch(`${this.#errata.url}/console/api/find?q=${reference}`, {
      headers: { cookie: this.#cookie },
    });
    const { reading, issues } = (await answer.json()) as FindAnswer;
    return reading === 'reference' && issues.length > 0;
  }

  /** Returns the IDs that the store does not have. */
  async missing(ids: Iterable<string>): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const id of ids) if (!(await this.has(id))) missing.push(id);
    return missing;
  }
}
