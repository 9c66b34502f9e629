import type { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import type { PostAnswer, EnvelopePost } from './envelope-post.ts';
import type { OutboxEnvelope, OutboxHead } from './outbox/queued-envelope.ts';
import type { Backoff } from './outbox/backoff.ts';

/** More deliverError tries than this at once are a storm; the rest is kept and goes one by one. */
const MAX_FIRST_ATTEMPTS = 10;

/**
 * One try to deliver one envelope, and what follows from its answer. An envelope leaves the outbox only after a 2xx or
 * a refusal for good; whatever happens to the page before that, the envelope is still there for the next one.
 */
export class Delivery {
  readonly #outbox: EnvelopeOutbox;
  readonly #post: EnvelopePost;
  readonly #backoff: Backoff;
  /** Ids on their way, and delivered ones that the outbox could not remove: not to be sent by this page retry. */
  readonly #inFlight = new Set<string>();
  #firstAttempts = 0;

  constructor(outbox: EnvelopeOutbox, post: EnvelopePost, backoff: Backoff) {
    this.#outbox = outbox;
    this.#post = post;
    this.#backoff = backoff;
  }

  isInFlight(head: OutboxHead): boolean {
    return this.#inFlight.has(head.id);
  }

  /**
   * An error or feedback: kept and sent at the same moment. Neither waits for the other, because a page that closes
   * may have only this moment: the request outlives it when the tunnel is there, the entry when it is not. Null: it is
   * only kept, because the tunnel is known to be away.
   */
  async deliverError(envelope: OutboxEnvelope): Promise<PostAnswer | null> {
    if (!this.#mayAttempt()) {
      await this.#outbox.add(envelope);
      return null;
    }
    this.#inFlight.add(envelope.id);
    const [answer] = await Promise.all([this.#attempt(envelope.body), this.#outbox.add(envelope)]);
    await this.#settle(envelope, answer);
    return answer;
  }

  /** Anything else: kept only when the tunnel cannot take it. A limit is for the SDK to obey. */
  async deliverOther(envelope: OutboxEnvelope): Promise<PostAnswer | null> {
    const answer = this.#mayAttempt() ? await this.#attempt(envelope.body) : null;
    if (answer === null || answer.verdict === 'later') {
      if (answer !== null) this.#backoff.failed(answer.retryAfterMs);
      await this.#outbox.add(envelope);
      return null;
    }
    if (answer.verdict === 'accepted') this.#backoff.succeeded();
    return answer;
  }

  /** A kept envelope once more, with the bytes to send now. */
  async retry(head: OutboxHead, body: Uint8Array<ArrayBuffer>): Promise<PostAnswer> {
    this.#inFlight.add(head.id);
    // Not to outlive the page: cut off it stays kept, and the budget is for errors that happen now.
    const answer = await this.#post.post(body, false);
    await this.#settle(head, answer);
    return answer;
  }

  #mayAttempt(): boolean {
    return this.#backoff.remainingMs === 0 && this.#firstAttempts < MAX_FIRST_ATTEMPTS;
  }

  async #attempt(body: Uint8Array<ArrayBuffer>): Promise<PostAnswer> {
    this.#firstAttempts += 1;
    const answer = await this.#post.post(body, true);
    this.#firstAttempts -= 1;
    return answer;
  }

  async #settle(head: OutboxHead, { verdict, retryAfterMs }: PostAnswer): Promise<void> {
    const isHeld = verdict === 'later' || (verdict === 'limited' && head.isError);
    if (isHeld) {
      this.#backoff.failed(retryAfterMs);
      this.#inFlight.delete(head.id);
      return;
    }
    if (verdict === 'accepted') this.#backoff.succeeded();
    await this.#outbox.remove(head);
  }
}
