import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEAD, DEAD_DIGEST, OpenedListener } from './gateway-listener.fixture.ts';

const NONE = {
  recorded: 0,
  limited: 0,
  given: 0,
  not_kept: 0,
  client_error: 0,
  no_status: 0,
  untrusted: 0,
};

/** Returns the pages by their outcome. */
async function counts({ metrics }: OpenedListener): Promise<Readonly<Record<string, number>>> {
  const { values } = await metrics.gatewayPages.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

describe('errata_gateway_pages_total', () => {
  it('has each outcome, from 0 on', async () => {
    const opened = await OpenedListener.open();
    const before = await counts(opened);

    await opened.ask(DEAD);
    await opened.ask({ ...DEAD, 'X-Errata-Digest': 'checkout-17' });
    await opened.ask({ 'X-Code': '403' });
    await opened.ask({});
    await opened.ask({}, '/healthz');
    opened.close();

    expect(before).toEqual(NONE);
    expect(await counts(opened)).toEqual({ ...NONE, recorded: 1, given: 1, client_error: 1, no_status: 1 });
  });

  it('has the pages whose event is not on disk in time, and those of peers that are not trusted', async () => {
    const slow = await OpenedListener.open({}, false);
    const { answer } = await slow.askUntilAppended(DEAD);
    await slow.time.toNextTimer();
    await answer;
    slow.close();
    const untrusted = await OpenedListener.open({ clients: { isOperatorPeer: () => false } });
    await untrusted.ask(DEAD);
    untrusted.close();

    expect(await counts(slow)).toEqual({ ...NONE, not_kept: 1 });
    expect(await counts(untrusted)).toEqual({ ...NONE, untrusted: 1 });
  });

  it('has 2,000 events of 3,000 pages at once, all with the digest', async () => {
    const opened = await OpenedListener.open();
    const request = 'HEAD / HTTP/1.1\r\nHost: h\r\nX-Code: 503\r\nX-Service-Name: shop\r\n';
    const socket = connect(opened.port, '127.0.0.1');

    socket.write(`${`${request}\r\n`.repeat(2_999)}${request}Connection: close\r\n\r\n`);
    const heads = await text(socket);
    opened.close();

    expect(heads.match(/^HTTP\/1.1 503/gm)).toHaveLength(3_000);
    expect(heads.match(new RegExp(`^X-Errata-Digest: ${DEAD_DIGEST}\r$`, 'gm'))).toHaveLength(3_000);
    expect(heads.match(/^X-Errata-Reference: /gm)).toHaveLength(2_000);
    expect(opened.appended).toHaveLength(2_000);
    expect(await counts(opened)).toEqual({ ...NONE, recorded: 2_000, limited: 1_000 });
  });
});
