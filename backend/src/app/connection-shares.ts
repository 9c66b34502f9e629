import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { type Clients, customerNetwork } from '../net/client-address.ts';

/** Part of the connections that is kept for networks with few. */
const SPARE_PART = 1 / 10;

/**
 * Keeps the last tenth of a server's connections for networks that have fewer than are left, so that no client keeps all others
 * out with idle ones: each network leaves at least half of what it has found. Until then a network has any number: an office
 * behind one address has one or more for each user. Connections of an IPv6 /48 count together, those of trusted proxies and of
 * the same machine not at all.
 *
 * Further connections of a network that has too many are closed at once, as are those above `maxConnections` by Node.
 */
export function shareConnections(server: EventEmitter, maxConnections: number, clients: Clients): void {
  const sharedAbove = maxConnections * (1 - SPARE_PART);
  const byNetwork = new Map<string, number>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const network = customerNetwork(peer);
    const ofNetwork = byNetwork.get(network) ?? 0;
    const hasShare = open < sharedAbove || ofNetwork < maxConnections - open;
    if (!hasShare && !clients.isOperatorPeer(peer)) {
      socket.destroy();
      return;
    }
    open += 1;
    byNetwork.set(network, ofNetwork + 1);
    socket.once('close', () => {
      open -= 1;
      const left = (byNetwork.get(network) ?? 0) - 1;
      if (left > 0) byNetwork.set(network, left);
      else byNetwork.delete(network);
    });
  });
}
