import express, { type Express } from 'express';
import request from 'supertest';
import { ClientFolder } from './client-folder.fixture.ts';
import { consolePages } from './console-pages.ts';

const SETTINGS = { dsn: '', basePath: '', tunnel: '/tunnel', release: '1', environment: 'test', demo: false };
const OF_THE_APPLICATION = 'the application';

describe('consolePages', () => {
  let client: ClientFolder;
  let application: Express;

  beforeEach(() => {
    client = new ClientFolder({
      'routes.json': '{"routes":[{"path":"/"},{"path":"/console"},{"path":"/console/e/:digest"}]}',
      'console/assets/index-BnEi67dL.js': 'export {};',
      'assets/shop-BnEi67dL.js': '',
      'robots.txt': '',
      'favicon.ico': '',
    });
    application = express();
    application.use(consolePages(client.path, SETTINGS));
    application.use(({ url }, response) => void response.send(`${OF_THE_APPLICATION}: ${url}`));
  });

  afterEach(() => client.remove());

  it.each(['/console', '/console/e/X0M8-48PZ', '/console/assets/index-BnEi67dL.js'])(
    'serves %s with its security headers, and promises nothing for the host',
    async (path) => {
      const { status, text, headers } = await request(application).get(path);

      expect(status).toBe(200);
      expect(text).not.toContain(OF_THE_APPLICATION);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['strict-transport-security']).toBeUndefined();
    },
  );

  it.each(['/', '/robots.txt', '/favicon.ico', '/assets/shop-BnEi67dL.js', '/Console', '/consoles', '/%zz'])(
    'leaves %s to the application, without a header',
    async (path) => {
      const { text, headers } = await request(application).get(path);

      expect(text).toBe(`${OF_THE_APPLICATION}: ${path}`);
      expect(headers['content-security-policy']).toBeUndefined();
    },
  );
});
