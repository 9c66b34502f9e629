import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { errorPages } from './error-pages.fixture.ts';
import type { ErrorPages } from './error-pages.ts';
import { ErrorResponse } from './error-response.ts';
import { pageHelpOf } from './page-help.ts';

const FAILURE = { status: 500, digest: '7KQ4-M2XD', reference: 'P16J-AY0K' };
const SUPPORT_URL = 'mailto:help@shop.example?subject={digest}&body={reference}';
const SETTINGS = { errorPage: 'helpful', basePath: '', supportUrl: null } as const;
const REFERENCE = '<div><p>Reference: <code>P16J-AY0K</code></p>';

/** Keys of the faults whose line was asked for. */
const keys: string[] = [];
/** An operator's line on the fault `known`. */
const lines = {
  lineOf: async (key: string) => {
    keys.push(key);
    return key === 'known' ? 'Back <b>soon</b>. "14:00" \u{1f6e0}' : null;
  },
};
const helpful = (changes: { readonly basePath?: string; readonly supportUrl?: string } = {}) =>
  errorPages(pageHelpOf({ ...SETTINGS, ...changes }, lines));

/** Fails at `/failure`; refuses all others with 404 or the status of the query. */
function hostOf(pages: ErrorPages, failure = FAILURE) {
  const responses = new ErrorResponse(pages);
  return express()
    .all('/failure', async (asked: Request, response: Response) => {
      const line = await responses.lineOf(asked, asked.url.includes('known') ? 'known' : '');
      responses.sendFailure(asked, response, { ...failure, line });
    })
    .use((asked: Request, response: Response) => {
      const status = Number(asked.query['status'] ?? 404);
      responses.sendRejection(asked, response, { status, title: 'Refused', detail: null });
    });
}

/** Returns the body of the page behind the exact text. */
async function addedTo(pages: ErrorPages, path: string, method: 'get' | 'post' = 'get'): Promise<string> {
  const { text } = await request(hostOf(pages))[method](path).set('Accept', 'text/html');
  return text.slice(text.lastIndexOf('</p>', text.includes('<div>') ? text.indexOf('<div>') : undefined) + 4);
}

describe('the page of a failure', () => {
  it('shows the two lines and no other element when it is plain', async () => {
    const plain = errorPages(pageHelpOf({ ...SETTINGS, errorPage: 'plain' }, lines));
    const { text } = await request(hostOf(plain)).get('/failure').set('Accept', 'text/html');

    expect(text).toBe(`<style>p{}</style><h1>${SERVER_ERROR_TEXT}</h1><p>Digest: 7KQ4-M2XD</p>`);
  });

  it('adds the reference and the ways on when it is helpful', async () => {
    expect(await addedTo(helpful({ supportUrl: SUPPORT_URL }), '/failure?id=7')).toBe(
      `${REFERENCE}<p><a href="">Try again</a> <a href="/">Home</a> <a href="mailto:help@shop.example?subject=7KQ4-M2XD&amp;body=P16J-AY0K">Get help</a></p></div>`,
    );
  });

  it('leads home below the base path, and to no support without an address', async () => {
    expect(await addedTo(helpful({ basePath: '/errata' }), '/failure')).toBe(
      `${REFERENCE}<p><a href="">Try again</a> <a href="/errata/">Home</a></p></div>`,
    );
  });

  it('shows the line of exactly this fault, as plain text', async () => {
    expect(await addedTo(helpful(), '/failure?known')).toBe(
      `${REFERENCE}<p dir="auto">Back &lt;b&gt;soon&lt;/b&gt;. &quot;14:00&quot; \u{1f6e0}</p><p><a href="">Try again</a> <a href="/">Home</a></p></div>`,
    );
    expect(await addedTo(helpful(), '/failure?other')).not.toContain('soon');
  });

  it('looks for no line that it would not show: on a plain page, and for a program', async () => {
    keys.length = 0;
    await request(hostOf(errorPages(null)))
      .get('/failure')
      .set('Accept', 'text/html');
    await request(hostOf(helpful())).get('/failure').set('Accept', 'application/json');

    expect(keys).toEqual([]);
  });

  it('offers no second try of a POST', async () => {
    expect(await addedTo(helpful(), '/failure', 'post')).toBe(
      `${REFERENCE}<p><a href="/">Home</a></p></div>`,
    );
  });

  it('has the length of the page in the answer to HEAD', async () => {
    const host = hostOf(helpful());
    const page = await request(host).get('/failure').set('Accept', 'text/html');
    const head = await request(host).head('/failure').set('Accept', 'text/html');

    expect(head.headers['content-length']).toBe(page.headers['content-length']);
  });

  it('escapes the digest, the reference and the address of the support', async () => {
    const pages = helpful({ supportUrl: `https://help.example/?q="><script>&d={digest}` });
    const hostile = { status: 500, digest: '"><script>1', reference: '<script>2' };
    const { text } = await request(hostOf(pages, hostile))
      .get('/failure?"><script>3')
      .set('Accept', 'text/html');

    expect(text).not.toContain('<script>');
    expect(text).toContain(
      'href="https://help.example/?q=&quot;&gt;&lt;script&gt;&amp;d=%22%3E%3Cscript%3E1"',
    );
  });

  it.each(['application/json', 'text/plain'])('changes no answer of %s', async (accept) => {
    const [plain, other] = await Promise.all(
      [errorPages(null), helpful()].map((pages) =>
        request(hostOf(pages)).get('/failure?known').set('Accept', accept),
      ),
    );

    expect(other?.text).toBe(plain?.text);
  });
});

describe('the page of a refusal', () => {
  const HOME = '<div><p><a href="/errata/">Home</a></p></div>';

  it.each(['/missing', '/console/missing', '/any?status=403'])(
    'adds only the way home when it is helpful: %s',
    async (path) => {
      expect(await addedTo(helpful({ basePath: '/errata', supportUrl: SUPPORT_URL }), path)).toBe(HOME);
      expect(await addedTo(errorPages(null), path)).toBe('');
    },
  );

  it('has no placeholder in the page of another team, helpful or plain', async () => {
    const own = { html: '<h1>Shop: gone</h1>%ERRATA_HELP%', headers: {} };
    const texts = [helpful({ basePath: '/errata' }), errorPages(null)].map(async (pages) => {
      pages.useNotFoundOf(() => own);
      return (await request(hostOf(pages)).get('/missing').set('Accept', 'text/html')).text;
    });

    expect(await Promise.all(texts)).toEqual([`<h1>Shop: gone</h1>${HOME}`, '<h1>Shop: gone</h1>']);
  });
});
