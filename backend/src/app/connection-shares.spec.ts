import { EventEmitter, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { Duplex } from 'node:stream';
import { readConfig } from '../config/config.ts';
import { Clients } from '../net/client-address.ts';
import { shareConnections } from './connection-shares.ts';
import { type HttpServerParts, newHttpServer } from './http-server.ts';

const config = readConfig({ ERRATA_TRUST_PROXY: '10.0.0.1' });
const clients = new Clients(config, { warn: () => {} });

/** Opens silent connections from an address, and returns those that the server has not closed. */
function open(server: EventEmitter, count: number, remoteAddress: string): readonly Duplex[] {
  const connections = Array.from({ length: count }, () => {
    const silent = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
    return Object.assign(silent, { remoteAddress });
  });
  for (const connection of connections) server.emit('connection', connection);
  return connections.filter(({ destroyed }) => !destroyed);
}

describe('shareConnections', () => {
  let server: EventEmitter;

  beforeEach(() => {
    server = new EventEmitter();
    shareConnections(server, 10_000, clients);
  });

  it('H24: keeps the last tenth for addresses that have fewer than are left', () => {
    expect(open(server, 9_961, '203.0.113.7')).toHaveLength(9_000);
    expect(open(server, 30, '198.51.100.9')).toHaveLength(30);
    expect(open(server, 1, '::ffff:203.0.113.7')).toHaveLength(0);
  });

  it('accepts thousands of users behind one address, also beside others', () => {
    open(server, 2_000, '198.51.100.9');

    expect(open(server, 6_000, '203.0.113.7')).toHaveLength(6_000);
  });

  it('H24: counts the connections of an IPv6 /48 together', () => {
    open(server, 8_500, '2001:db8:7:1::1');

    expect(open(server, 1_000, '2001:db8:7:2::1')).toHaveLength(500);
    expect(open(server, 1_100, '2001:db8:8:2::1')).toHaveLength(500);
  });

  it('H24: leaves connections to others after several addresses that open all', () => {
    for (const host of [1, 2, 3, 4, 5]) open(server, 10_000, `203.0.113.${host}`);

    expect(open(server, 30, '198.51.100.9')).toHaveLength(30);
  });

  it.each(['127.0.0.1', '::1', '::ffff:10.0.0.1'])('closes no connection of %s', (address) => {
    open(server, 9_000, '203.0.113.7');

    expect(open(server, 1_001, address)).toHaveLength(1_001);
  });

  it('accepts further connections of an address when some have closed', async () => {
    const [first] = open(server, 9_000, '203.0.113.7');
    expect(open(server, 1, '203.0.113.7')).toHaveLength(0);

    await once(first?.destroy() ?? server, 'close');

    expect(open(server, 2, '203.0.113.7')).toHaveLength(1);
  });
});

describe('newHttpServer', () => {
  it('H24: keeps some of its connections from an address that opens all', () => {
    const notFound: RequestListener = (_request, response) => response.writeHead(404).end();
    const server = newHttpServer(config, { clients } as HttpServerParts, notFound, { maxConnections: 20 });

    expect(open(server, 20, '203.0.113.7')).toHaveLength(18);
    expect(open(server, 3, '10.0.0.1')).toHaveLength(3);
  });
});
