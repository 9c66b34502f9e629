import type { EnvelopeKeep } from './outbox/envelope-outbox.ts';
import type { Answer, EnvelopePost } from './envelope-post.ts';
import type { KeptEnvelope, KeptHead } from './outbox/queued-envelope.ts';
import type { Pause } from './outbox/backoff.ts';

/** More first tries than this at once are a storm; the rest is kept and goes one by one. */
const MAX_FIRST_TRIES = 10;

/**
 * One try to deliver one envelope, and what follows from its answer. An envelope leaves the keep only after a 2xx or
 * a refusal for good; whatever happens to the page before that, the envelope is still there for the next one.
 */
export class Delivery {
  readonly #keep: EnvelopeKeep;
  readonly #post: EnvelopePost;
  readonly #pause: Pause;
  /** Ids on their way, and delivered ones that the keep could not remove: not to be sent by this page again. */
  readonly #inHand = new Set<string>();
  #firstTries = 0;

  constructor(keep: EnvelopeKeep, post: EnvelopePost, pause: Pause) {
    this.#keep = keep;
    this.#post = post;
    this.#pause = pause;
  }

  isInHand(head: KeptHead): boolean {
    return this.#inHand.has(head.id);
  }

  /**
   * An error or feedback: kept and sent at the same moment. Neither waits for the other, because a page that closes
   * may have only this moment: the request outlives it when the tunnel is there, the entry when it is not. Null: it is
   * only kept, because the tunnel is known to be away.
   */
  async first(envelope: KeptEnvelope): Promise<Answer | null> {
    if (!this.#mayTry()) {
      await this.#keep.add(envelope);
      return null;
    }
    this.#inHand.add(envelope.id);
    const [answer] = await Promise.all([this.#try(envelope.body), this.#keep.add(envelope)]);
    await this.#settle(envelope, answer);
    return answer;
  }

  /** Anything else: kept only when the tunnel cannot take it. A limit is for the SDK to obey. */
  async firstOfLesser(envelope: KeptEnvelope): Promise<Answer | null> {
    const answer = this.#mayTry() ? await this.#try(envelope.body) : null;
    if (answer === null || answer.verdict === 'later') {
      if (answer !== null) this.#pause.failed(answer.retryAfterMs);
      await this.#keep.add(envelope);
      return null;
    }
    if (answer.verdict === 'taken') this.#pause.succeeded();
    return answer;
  }

  /** A kept envelope once more, with the bytes to send now. */
  async again(head: KeptHead, body: Uint8Array<ArrayBuffer>): Promise<Answer> {
    this.#inHand.add(head.id);
    // Not to outlive the page: cut off it stays kept, and the budget is for errors that happen now.
    const answer = await this.#post.post(body, false);
    await this.#settle(head, answer);
    return answer;
  }

  #mayTry(): boolean {
    return this.#pause.remainingMs === 0 && this.#firstTries < MAX_FIRST_TRIES;
  }

  async #try(body: Uint8Array<ArrayBuffer>): Promise<Answer> {
    this.#firstTries += 1;
    const answer = await this.#post.post(body, true);
    this.#firstTries -= 1;
    return answer;
  }

  async #settle(head: KeptHead, { verdict, retryAfterMs }: Answer): Promise<void> {
    const isHeld = verdict === 'later' || (verdict === 'limited' && head.isError);
    if (isHeld) {
      this.#pause.failed(retryAfterMs);
      this.#inHand.delete(head.id);
      return;
    }
    if (verdict === 'taken') this.#pause.succeeded();
    await this.#keep.remove(head);
  }
}
