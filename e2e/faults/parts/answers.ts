/** How the scripted upstream handles one request. */
export interface Answer {
  /** Whether it accepts the envelope. */
  readonly takes: boolean;
  /** `answer` when `until` resolves; `hang`: never; `cut`: resets the connection once the body was read. */
  readonly ending: 'answer' | 'hang' | 'cut';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null: immediately. */
  readonly until: Promise<unknown> | null;
  /** Number of bytes of the body after which it resets the connection; null: it reads the whole body. */
  readonly cutAfterBytes: number | null;
}

/** Media type of a Sentry-compatible service; an answer of another type comes from an intermediary. */
const JSON_TYPE = { 'content-type': 'application/json' };

const TAKES: Answer = {
  takes: true,
  ending: 'answer',
  status: 200,
  headers: JSON_TYPE,
  body: '{}',
  until: null,
  cutAfterBytes: null,
};

export function take(headers: Readonly<Record<string, string>> = {}): Answer {
  return { ...TAKES, headers: { ...JSON_TYPE, ...headers } };
}

export function refuse(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { ...take(headers), takes: false, status };
}

/** Reads the request and never answers; with `takes` it accepts the envelope all the same. */
export function hang(): Answer {
  return { ...TAKES, takes: false, ending: 'hang' };
}

/** Accepts the envelope and loses the answer. */
export function lose(): Answer {
  return { ...TAKES, ending: 'cut' };
}

export function cutInBody(afterBytes: number): Answer {
  return { ...TAKES, takes: false, ending: 'cut', cutAfterBytes: afterBytes };
}

/** Gives the answer when the promise resolves. */
export function hold(until: Promise<unknown>, answer = take()): Answer {
  return { ...answer, until };
}
