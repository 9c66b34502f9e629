import type { LiveEvent, LiveGap } from '@errata/backend/contract/live-api.ts';

/** The browser's EventSource (jsdom has none), with the server's end of it in the hands of a spec. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** Every stream that was asked for, in order. */
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

  /** `id` is the cursor behind it. */
  send(event: LiveEvent, id?: string): void {
    this.dispatchEvent(new MessageEvent('event', { data: JSON.stringify(event), lastEventId: id }));
  }

  pass(gap: LiveGap): void {
    this.dispatchEvent(new MessageEvent('gap', { data: JSON.stringify(gap) }));
  }

  /** The connection breaks; a browser connects again. */
  break(): void {
    this.readyState = FakeEventSource.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }

  /** The server answers no stream; a browser gives up. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

/** Takes the place of the browser's own. */
export function serveStreams(): typeof FakeEventSource {
  FakeEventSource.asked = [];
  Object.defineProperty(globalThis, 'EventSource', { value: FakeEventSource, configurable: true });
  return FakeEventSource;
}
