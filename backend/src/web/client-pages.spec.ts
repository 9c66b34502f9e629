import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { ClientPages } from './client-pages.ts';
import { ClientFolder } from './client-folder.fixture.ts';
import { type ServedClients, servedClients } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const META =
  '<meta name="errata" content="{&quot;dsn&quot;:&quot;https://key@errata.invalid/1&quot;,&quot;basePath&quot;:&quot;&quot;,' +
  '&quot;tunnel&quot;:&quot;/tunnel&quot;,&quot;environment&quot;:&quot;test&quot;,&quot;demo&quot;:false,&quot;release&quot;:&quot;shop@2&quot;}">';
const WINDOWS_1252 = Buffer.from('<head><title>Caf\u00e9', 'latin1');

describe('pages of another client', () => {
  let builtIn: ClientFolder;
  let client: ClientFolder;
  let served: ServedClients;
  let application: NestExpressApplication;

  beforeEach(async () => {
    builtIn = new ClientFolder();
    client = new ClientFolder({
      'index.html': '<!doctype html><html><head><title>Shop',
      'help.html': '<!doctype html><title>\u00dcber uns',
      'filled.html': META.replace(/content="[^"]*"/, 'content="%ERRATA_SETTINGS%"'),
      'marked.html': '\ufeff<p>',
      'old.html': WINDOWS_1252,
      'app.js': 'document.head.innerHTML = "<head>";',
      '404.html': '<head><title>Gone',
    });
    served = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir: client.path });
    application = await webApplication(served);
  });

  afterEach(async () => {
    await application.close();
    builtIn.remove();
    client.remove();
  });

  const get = (path: string) => request(application.getHttpServer()).get(path);

  it.each([
    ['/', `<!doctype html><html><head>${META}<title>Shop`],
    ['/help', `<!doctype html>${META}<title>\u00dcber uns`],
    ['/help.html', `<!doctype html>${META}<title>\u00dcber uns`],
    ['/filled', META],
    ['/marked', `\ufeff${META}<p>`],
    ['/app.js', 'document.head.innerHTML = "<head>";'],
  ])('have the settings of the process as the first child of the head: %s', async (path, text) => {
    const answer = await get(path).buffer(true);

    expect(answer.text).toBe(text);
  });

  it('have the settings on the not-found page', () => {
    expect(served.notFound('/missing')?.html).toBe(`<head>${META}<title>Gone`);
  });

  it('are sent as they are, without a name of an encoding, when they are not UTF-8', async () => {
    const { body, headers } = await get('/old.html').parse((response, done) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => done(null, Buffer.concat(chunks)));
    });

    expect(body).toEqual(WINDOWS_1252);
    expect(headers['content-type']).toBe('text/html');
  });

  it('are sent as they are when index.html is not UTF-8', async () => {
    client.write('index.html', WINDOWS_1252);
    const again = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir: client.path });
    await application.close();
    application = await webApplication(again);

    const { headers } = await get('/').set('Accept-Encoding', 'identity');

    expect(headers['content-type']).toBe('text/html');
    expect(headers['content-length']).toBe(String(WINDOWS_1252.length));
  });

  it.each([
    ['<meta charset=iso-8859-1>', 'alert("\u00e9")'],
    ['<META http-equiv="Content-Type" content="text/html; charset=koi8-r">', 'alert("\u0418")'],
    ['<meta charset=utf-16le>', 'alert("\u00e9")'],
    ['<meta charset="no-such">', 'alert("\u00e9")'],
    ['', 'alert("\u00e9")'],
  ])('have their code known where they are not UTF-8: %s', (declaration, script) => {
    client.write('other.html', Buffer.from(`${declaration}<script>alert("\u00e9")</script>`, 'latin1'));

    const pages = ClientPages.read(client.path, ['other.html'], WEB_OPTIONS.settings);

    expect(pages.codeOf('other.html')?.scripts).toEqual([script]);
  });

  it('are not sent again while they are the same', async () => {
    const { headers } = await get('/help');
    const etag = String(headers['etag']);

    expect(headers['cache-control']).toBe('no-cache');
    expect((await get('/help').set('If-None-Match', etag)).status).toBe(304);

    client.write('help.html', '<!doctype html><title>New');
    const changed = await get('/help').set('If-None-Match', etag);

    expect([changed.status, changed.text]).toEqual([200, `<!doctype html>${META}<title>New`]);
  });

  it('have no release where no setting gives that of the client', () => {
    const options = { ...WEB_OPTIONS, clientRelease: null, builtInDir: builtIn.path, clientDir: client.path };

    const html = servedClients(options).notFound('/missing')?.html;

    expect(html).toContain('&quot;environment&quot;');
    expect(html).not.toContain('release');
  });

  it('are unchanged when they begin in another way than at the start', async () => {
    client.write('help.html', '<p>');

    expect((await get('/help')).text).toBe('<p>');
  });

  it('are missing when they are lost', async () => {
    client.lose('help.html');

    expect((await get('/help')).status).toBe(404);
  });
});
