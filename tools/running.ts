/** Requests to the Errata that runs on this machine, for `make seed` and `make doctor`. */

interface PageSettings {
  readonly dsn: string;
  readonly tunnel: string;
}

/** An item of an envelope. */
export interface Item {
  readonly type: string;
  readonly payload: object;
}

export const url = process.env['ERRATA_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

export const TIMEOUT_MS = 10_000;

let settings: PageSettings | undefined;

/** Says in plain words why a request got no response; fetch itself only says "fetch failed". */
export function connectionError(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (cause instanceof SyntaxError || cause instanceof TypeError) return 'does not answer as Errata does';
  if (cause instanceof DOMException) return `does not answer in ${TIMEOUT_MS / 1_000} s`;
  // An error of the parser of HTTP has no code.
  if (code === 'ERR_ASSERTION' || code === 'undefined') return 'does not answer in HTTP';
  if (code === 'ECONNREFUSED') return 'refuses connections';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'has an unknown host name';
  return `does not answer (${code === '' && cause instanceof Error ? cause.message : code})`;
}

/** Reads the settings in the page of the running server. @throws when no Errata answers. */
export async function pageSettings(): Promise<PageSettings> {
  if (settings !== undefined) return settings;
  // The console's page, because another client may be served at the root.
  const html = await (await fetch(`${url}/console`)).text();
  const content = /<meta name="errata" content="([^"]*)"/.exec(html)?.[1];
  if (content === undefined) throw new Error(`${url} is not an Errata with its built-in client`);
  settings = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PageSettings;
  return settings;
}

/** Posts an envelope and returns the status. Uses the server's own DSN unless the header names another. */
export function post(header: object, items: readonly Item[]): Promise<number> {
  return postText(
    header,
    items.flatMap(({ type, payload }) => [{ type }, payload]).map((line) => JSON.stringify(line)),
  );
}

/** Posts a header and raw lines, which need not form a valid envelope, and returns the status. */
export async function postText(header: object, lines: readonly string[]): Promise<number> {
  const { dsn, tunnel } = await pageSettings();
  const whole = { dsn, sent_at: new Date().toISOString(), ...header };
  const body = [JSON.stringify(whole), ...lines].join('\n');
  const response = await fetch(url + tunnel, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}
