import { errorWith, fieldOf } from './thrown-value.ts';

/** A longer text of a response is a page or data. */
const MAX_TEXT_LENGTH = 200;

/** A response that was thrown: `throw new Response()`, which React Router shows to its pages as its `ErrorResponse`. */
export interface ThrownResponse {
  readonly status: number;
  /** '' where it was left out, and for a response over HTTP/2. */
  readonly statusText: string;
  /** Whether the application has thrown a 4xx on purpose, or the router found no page: shown, but no event. */
  readonly isRefusal: boolean;
  /** An error in its place. The store forms its digest of the status and the page's route, so it has no stack. */
  readonly error: Error;
}

/** Returns the thrown response; null for any other value. */
export function thrownResponse(thrown: unknown): ThrownResponse | null {
  const [status, statusText, internal, ok] = ['status', 'statusText', 'internal', 'ok'].map((name) =>
    fieldOf(thrown, name),
  );
  const isResponse = typeof internal === 'boolean' || typeof ok === 'boolean';
  if (!isResponse || typeof status !== 'number' || typeof statusText !== 'string') return null;
  const text = shortText(fieldOf(thrown, 'data'));
  const message = `${status} ${statusText}`.trim() + (text === '' ? '' : `: ${text}`);
  return {
    status,
    statusText,
    // React Router throws a 400 or 405 itself for a fault of the application, such as a missing action.
    isRefusal: status === 404 || (status >= 400 && status < 500 && internal !== true),
    error: errorWith('ErrorResponse', message),
  };
}

function shortText(data: unknown): string {
  try {
    const text = typeof data === 'string' ? data.trim() : (JSON.stringify(data) ?? '');
    return text.length <= MAX_TEXT_LENGTH && text !== 'null' ? text : '';
  } catch {
    return '';
  }
}
