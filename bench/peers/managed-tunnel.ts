import { createServer } from 'node:http';
import { handleTunnelRequest } from '@sentry/core';

/**
 * The tunnel that comes with Sentry's server SDKs, called with Node's own request and response as its integrations
 * do. No client is started and nothing is instrumented, so this is the least it can cost.
 */

const allowedDsns = [process.env['SENTRY_DSN'] ?? ''];

createServer((request, response) => {
  handleTunnelRequest(request, response, { allowedDsns }).catch(() => response.writeHead(502).end());
}).listen(Number(process.env['PORT']), '127.0.0.1');
