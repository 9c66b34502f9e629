import express from 'express';

/**
 * The tunnel that Sentry's documentation tells people to write ("Using the tunnel option"): parse the first line,
 * compare host and project, forward with fetch. Only the scheme and the port are the bench's own.
 */

const upstream = new URL(process.env['SENTRY_DSN'] ?? '');
const projectIds = [upstream.pathname.slice(1)];

const application = express();
application.post('/tunnel', express.raw({ type: () => true, limit: '20mb' }), async (request, response) => {
  try {
    const body = request.body as Buffer<ArrayBuffer>;
    const [firstLine = ''] = new TextDecoder().decode(body).split('\n');
    const header = JSON.parse(firstLine) as { readonly dsn: string };
    const dsn = new URL(header.dsn);
    const projectId = dsn.pathname.replace('/', '');
    if (dsn.hostname !== upstream.hostname) throw new Error(`invalid host: ${dsn.hostname}`);
    if (!projectIds.includes(projectId)) throw new Error(`invalid project: ${projectId}`);
    await fetch(`${upstream.protocol}//${upstream.host}/api/${projectId}/envelope/`, {
      method: 'POST',
      body,
    });
    response.sendStatus(200);
  } catch {
    response.sendStatus(500);
  }
});
application.listen(Number(process.env['PORT']), '127.0.0.1');
