/** The Errata that runs on this machine, as the Makefile's targets find it. */

interface PageSettings {
  readonly dsn: string;
  readonly tunnel: string;
}

export const url = process.env['ERRATA_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

/** What the running server tells its client in index.html. @throws when nothing answers there. */
export async function pageSettings(): Promise<PageSettings> {
  const html = await (await fetch(url)).text();
  const content = /<meta name="errata" content="([^"]*)"/.exec(html)?.[1];
  if (content === undefined) throw new Error(`${url} is no Errata with its built-in client`);
  return JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PageSettings;
}

/** Posts an envelope of one item, or of none, and gives the status. */
export async function postEnvelope(
  settings: PageSettings,
  event?: { readonly event_id: string },
): Promise<number> {
  const header = { dsn: settings.dsn, sent_at: new Date().toISOString(), event_id: event?.event_id };
  const lines = event === undefined ? [header] : [header, { type: 'event' }, event];
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(url + settings.tunnel, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}
