import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { connectorOf, withoutInterim } from './connector.ts';

/** The proxy for requests to other servers, as the settings have it. */
export interface EgressProxy {
  readonly httpsProxy: string | null;
  readonly httpProxy: string | null;
  /** Hosts that are reached directly, in the form of undici. */
  readonly noProxy: string;
}

/** Limits of the connections; `connect` is for those without a proxy. */
interface OutgoingOptions extends Pick<
  Pool.Options,
  'connections' | 'pipelining' | 'headersTimeout' | 'bodyTimeout'
> {
  readonly connect: buildConnector.BuildOptions & { readonly timeout: number };
}

/** How undici reports that a proxy has refused a tunnel. */
const REFUSED = /^Proxy response \((\d{3})\)/;

/** The proxy has made no tunnel. The code is the reason in logs and metrics: `proxy_407`, `proxy_closed`. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string;

  constructor(code: string, problem: string, cause: unknown) {
    super(`the proxy ${problem}`, { cause });
    this.code = code;
  }
}

/**
 * Returns what sends requests to one origin, or to any one with null. Without a proxy it is undici's own pool. Through a proxy each
 * connection is a tunnel (CONNECT), so that TLS is end to end, and the proxy resolves the name: `connect.lookup` guards only
 * the hosts that `noProxy` names. undici reads the environment for a value that is not passed.
 */
export function dispatcherTo(
  origin: string | null,
  { connect, ...options }: OutgoingOptions,
  { httpsProxy, httpProxy, noProxy }: EgressProxy,
): Dispatcher {
  if (httpsProxy === null && httpProxy === null) {
    const direct = { ...options, connect: connectorOf(connect) };
    return origin === null ? new Agent(direct) : new Pool(origin, direct);
  }
  const { timeout } = connect;
  return new EnvHttpProxyAgent({
    ...options,
    connect: buildConnector(connect),
    httpsProxy: httpsProxy ?? '',
    httpProxy: httpProxy ?? '',
    noProxy,
    connectTimeout: timeout,
    // Otherwise undici lets the proxy send plain requests, and a refusal of the proxy looks like one of the server.
    proxyTunnel: true,
    // The connections to the proxy: its answer has the time of a connection.
    clientFactory: (proxy, tunnels) => new Pool(proxy, { ...tunnels, headersTimeout: timeout }),
    factory: (target, { connect: open, ...others }: Pool.Options) =>
      new Pool(target, {
        ...others,
        ...(typeof open === 'function' && { connect: withoutInterim(named(open)) }),
      }),
  });
}

/**
 * Returns a connector whose errors name the fault of a proxy. Bytes behind the response of the proxy are one, too: undici ends such
 * a connection and opens the next one, for ever.
 */
function named(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error !== null) return callback(proxyErrorOf(error) ?? error, null);
      if (socket.readableLength === 0) return callback(null, socket);
      socket.destroy();
      callback(new ProxyError('proxy_data', 'sent bytes before the target', undefined), null);
    });
}

function proxyErrorOf(error: Error): ProxyError | null {
  const [, status] = REFUSED.exec(error.message) ?? [];
  if (status !== undefined) return new ProxyError(`proxy_${status}`, `responded with ${status}`, error);
  const isClosed = 'code' in error && error.code === 'UND_ERR_PRX_CONN';
  return isClosed ? new ProxyError('proxy_closed', 'closed the connection', error) : null;
}
