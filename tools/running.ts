/** The Errata that runs on this machine, as the Makefile's targets find it. */

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

let settings: PageSettings | undefined;

/** What the running server tells its client in index.html. @throws when nothing answers there. */
export async function pageSettings(): Promise<PageSettings> {
  if (settings !== undefined) return settings;
  // The console's page: a team's own client may stand at the root.
  const html = await (await fetch(`${url}/console`)).text();
  const content = /<meta name="errata" content="([^"]*)"/.exec(html)?.[1];
  if (content === undefined) throw new Error(`${url} is no Errata with its built-in client`);
  settings = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PageSettings;
  return settings;
}

/** Posts an envelope, of the application's own DSN unless the header names another, and gives the status. */
export function post(header: object, items: readonly Item[]): Promise<number> {
  return postText(
    header,
    items.flatMap(({ type, payload }) => [{ type }, payload]).map((line) => JSON.stringify(line)),
  );
}

/** The same of lines as they are, which need not be an envelope's. */
export async function postText(header: object, lines: readonly string[]): Promise<number> {
  const { dsn, tunnel } = await pageSettings();
  const whole = { dsn, sent_at: new Date().toISOString(), ...header };
  const body = [JSON.stringify(whole), ...lines].join('\n');
  const answer = await fetch(url + tunnel, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}
