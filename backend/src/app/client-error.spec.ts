import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ERROR_PAGES } from '../errors/error-pages.fixture.ts';
import { rejectUnparsed } from './client-error.ts';

const START = 'GET /console HTTP/1.1\r\nHost: a\r\n';
const COOKIE = 'xxxxxxxx';

/** Returns what a sender gets when the parser gives up at this piece of its headers. */
async function answerAt(piece: string): Promise<string> {
  const socket = new PassThrough();
  const error = Object.assign(new Error('too large'), {
    code: 'HPE_HEADER_OVERFLOW',
    rawPacket: Buffer.from(piece),
  });

  rejectUnparsed(error, socket, ERROR_PAGES);

  const answer = String(socket.read());
  const isClosed = once(socket, 'close');
  socket.destroy();
  await isClosed;
  return answer;
}

const LONG = 'x'.repeat(5_000);

describe('headers that are larger than the parser reads', () => {
  it.each([
    [414, 'the first piece of a URL', `GET /?q=${LONG}`],
    [414, 'a later piece of a URL', LONG],
    [414, 'the last piece of a URL', `x HTTP/1.1\r\nCookie: ${LONG}`],
    [414, 'a URL and less bytes of cookies', `GET /?q=${LONG} HTTP/1.1\r\nCookie: ${LONG.slice(200)}`],
    [431, 'a URL and more bytes of cookies', `GET /?q=${LONG} HTTP/1.1\r\nCookie: ${LONG}`],
    [431, 'the largest cookie of a browser', `${LONG.slice(-4_097)}; a=b`],
  ])('get %i and no other advice: %s', async (status, _, piece) => {
    const answer = await answerAt(piece);

    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(/URL|Address/.test(answer)).toBe(status === 414);
  });

  it.each([
    ['text/html', 'a navigation', `${START}Sec-Fetch-Dest: document\r\nCookie: ${COOKIE}`],
    ['text/html', 'a navigation over plain http', `${START}Accept: text/html\r\nCookie: ${COOKIE}`],
    ['text/html', 'a later piece without its first headers', COOKIE],
    ['text/html', 'a later piece with those of a navigation', `${COOKIE}\r\nSec-Fetch-Dest: document\r\n`],
    [
      'application/problem+json',
      'a later piece with those of a script',
      `${COOKIE}\r\nSec-Fetch-Dest: empty\r\n`,
    ],
    [
      'application/problem+json',
      'a request of a script',
      `${START}Sec-Fetch-Dest: empty\r\nCookie: ${COOKIE}`,
    ],
    ['application/problem+json', 'a request of a program', `${START}Accept: */*\r\nCookie: ${COOKIE}`],
    ['application/problem+json', 'a request with neither header', `${START}Cookie: ${COOKIE}`],
  ])('get %s: %s', async (type, _, piece) => {
    const answer = await answerAt(piece);

    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(/^content-type: ([^;\r]+)/im.exec(answer)?.[1]).toBe(type);
  });
});
