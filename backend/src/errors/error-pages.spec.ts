import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIGEST_PLACEHOLDER, NOT_FOUND_TEXT } from '../contract/texts.ts';
import { ErrorPages } from './error-pages.ts';

const OWN = { 'error.html': `own ${DIGEST_PLACEHOLDER}`, '404.html': `own ${NOT_FOUND_TEXT}` };
const FAILURE = { digest: '7KQ4-M2XD', reference: 'P16J-AY0K', isRepeatable: true, line: null };

describe('ErrorPages.read', () => {
  let parent: string;

  beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'errata-pages-'))));
  afterEach(() => rmSync(parent, { recursive: true }));

  function folderOf(name: string, pages: Readonly<Record<string, string>> = {}): string {
    const folder = join(parent, name);
    mkdirSync(folder);
    for (const [page, html] of Object.entries(pages)) writeFileSync(join(folder, page), html);
    return folder;
  }

  const read = (client: string) => {
    const pages = ErrorPages.read([client, folderOf('own', OWN)], null);
    return [pages.serverError(FAILURE).html, pages.notFound('/nope').html];
  };

  it.each([
    [
      'of the client',
      { 'error.html': `its ${DIGEST_PLACEHOLDER}`, '404.html': `its ${NOT_FOUND_TEXT}` },
      'its',
    ],
    ['of Errata where the client has none', {}, 'own'],
    [
      'of Errata where those of the client have other texts',
      { 'error.html': 'Oops', '404.html': 'Oops' },
      'own',
    ],
  ])('takes the pages %s', (_, pages, whose) => {
    expect(read(folderOf('client', pages))).toEqual([
      `${whose} ${FAILURE.digest}`,
      `${whose} ${NOT_FOUND_TEXT}`,
    ]);
  });

  it('takes those of Errata where a folder or a FIFO has the name of a page', () => {
    const client = folderOf('client');
    mkdirSync(join(client, 'error.html'));
    execFileSync('mkfifo', [join(client, '404.html')]);

    expect(read(client)).toEqual([`own ${FAILURE.digest}`, `own ${NOT_FOUND_TEXT}`]);
  });

  it('names the files where there is no page', () => {
    const [one, other] = [folderOf('client'), folderOf('own')];

    expect(() => ErrorPages.read([one, other], null)).toThrow(
      `${join(one, 'error.html')} and ${join(other, 'error.html')} do not exist. Run make build.`,
    );
  });
});
