import type { LiveEvent, LiveGap } from '@errata/backend/contract/live-api.ts';

/** Replaces the browser's EventSource, which jsdom lacks; the spec plays the server. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** Every opened stream, in order. */
  static asked: FakeEventSource[] = [];

  readonly url: string;
  readyState: number = FakeEventSource.CONNECTING;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.asked.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  /** `id` is the cursor after the event. */
  send(event: LiveEvent, id?: string): void {
    this.dispatchEvent(new MessageEvent('event', { data: JSON.stringify(event), lastEventId: id }));
  }

  pass(gap: LiveGap): void {
    this.dispatchEvent(new MessageEvent('gap', { data: JSON.stringify(gap) }));
  }

  /** Breaks the connection; a browser reconnects. */
  break(): void {
    this.readyState = FakeEventSource.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }

  /** Answers without a stream; a browser gives up. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

/** Installs the fake in place of the browser's EventSource. */
export function serveStreams(): typeof FakeEventSource {
  FakeEventSource.asked = [];
  Object.defineProperty(globalThis, 'EventSource', { value: FakeEventSource, configurable: true });
  return FakeEventSource;
}
