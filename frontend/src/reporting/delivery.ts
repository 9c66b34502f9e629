import type { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import type { PostAnswer, EnvelopePost } from './envelope-post.ts';
import type { OutboxEnvelope, OutboxHead } from './outbox/queued-envelope.ts';
import type { RetryDelay } from './outbox/retry-delay.ts';

/** More concurrent first attempts are a storm; further envelopes are only queued and sent one by one. */
const MAX_FIRST_ATTEMPTS = 10;

/**
 * Delivers one envelope and applies the answer. An envelope leaves the outbox only after a 2xx or a final refusal, so a
 * page that ends before that leaves it to the next page.
 */
export class Delivery {
  readonly #outbox: EnvelopeOutbox;
  readonly #post: EnvelopePost;
  readonly #retryDelay: RetryDelay;
  /** IDs being sent, and delivered ones that the outbox could not remove: this page does not send them again. */
  readonly #inFlight = new Set<string>();
  #firstAttempts = 0;

  constructor(outbox: EnvelopeOutbox, post: EnvelopePost, retryDelay: RetryDelay) {
    this.#outbox = outbox;
    this.#post = post;
    this.#retryDelay = retryDelay;
  }

  isInFlight(head: OutboxHead): boolean {
    return this.#inFlight.has(head.id);
  }

  /**
   * Queues and sends an error or feedback at the same time. A closing page may have only this moment: the request
   * outlives the page when the tunnel is reachable, the entry when it is not. Null: only queued, because the tunnel is
   * known to be unreachable.
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

  /** Sends other envelopes, and queues them only when the tunnel cannot accept them. The SDK obeys rate limits. */
  async deliverOther(envelope: OutboxEnvelope): Promise<PostAnswer | null> {
    const answer = this.#mayAttempt() ? await this.#attempt(envelope.body) : null;
    if (answer === null || answer.verdict === 'later') {
      if (answer !== null) this.#retryDelay.failed(answer.retryAfterMs);
      await this.#outbox.add(envelope);
      return null;
    }
    if (answer.verdict === 'accepted') this.#retryDelay.succeeded();
    return answer;
  }

  /** Sends a queued envelope again, with the given bytes. */
  async retry(head: OutboxHead, body: Uint8Array<ArrayBuffer>): Promise<PostAnswer> {
    this.#inFlight.add(head.id);
    // Without keepalive: a cancelled envelope stays queued, and the keepalive quota is for new errors.
    const answer = await this.#post.post(body, false);
    await this.#settle(head, answer);
    return answer;
  }

  #mayAttempt(): boolean {
    return this.#retryDelay.remainingMs === 0 && this.#firstAttempts < MAX_FIRST_ATTEMPTS;
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
      this.#retryDelay.failed(retryAfterMs);
      this.#inFlight.delete(head.id);
      return;
    }
    if (verdict === 'accepted') this.#retryDelay.succeeded();
    await this.#outbox.remove(head);
  }
}
