interface TunnelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tunnel that is unreachable, answers with a given status, or does not answer; it records the envelopes. */
export class FakeTunnel {
  /** Texts of the envelopes answered 2xx. */
  readonly accepted: string[] = [];
  /** Texts of all envelopes sent to it. */
  readonly received: string[] = [];
  state: 'away' | 'silent' | TunnelAnswer = { status: 200, headers: {} };
  /** Answers for envelopes with a certain text, in any state. */
  readonly only = new Map<string, TunnelAnswer>();

  readonly fetch: typeof fetch = async (_url, request = {}) => {
    if (!ArrayBuffer.isView(request.body)) throw new TypeError('an envelope is sent as bytes');
    const text = new TextDecoder().decode(request.body);
    this.received.push(text);
    const own = [...this.only].find(([part]) => text.includes(part))?.[1];
    const state = own ?? this.state;
    if (state === 'away') throw new TypeError('Failed to fetch');
    if (state === 'silent') return new Promise(() => undefined);
    if (state.status < 300) this.accepted.push(text);
    return new Response(null, state);
  };

  answer(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.state = { status, headers };
  }
}
