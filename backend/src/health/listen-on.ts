import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { isNativeError } from 'node:util/types';
import { SettingError } from '../config/config.ts';

type PortSetting = 'PORT' | 'MANAGEMENT_PORT' | 'ERRATA_GATEWAY_PORT';

/**
 * Names the setting of a listener that cannot start.
 *
 * @param listen starts the listener. @throws SettingError for a port that is in use or not permitted, and for a host that is
 * not available.
 */
export async function listenOn(
  listen: () => Promise<unknown>,
  setting: PortSetting,
  host: string,
  port: number,
): Promise<void> {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  try {
    await listen();
  } catch (error) {
    const code = isNativeError(error) && 'code' in error ? String(error.code) : '';
    if (code === 'EADDRINUSE') throw new SettingError(setting, `${address} is already in use`, error);
    if (code === 'EACCES') throw new SettingError(setting, `no permission to listen on ${address}`, error);
    if (code === 'EADDRNOTAVAIL')
      throw new SettingError('HOST', `address ${host} is not available here`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|EINVAL)$/.test(code)) {
      throw new SettingError('HOST', `${host} cannot be resolved (${code})`, error);
    }
    throw error;
  }
}

/** Starts a listener beside the application's. @throws SettingError, see {@link listenOn}. */
export function startListener(
  server: Server,
  setting: PortSetting,
  host: string,
  port: number,
): Promise<void> {
  return listenOn(() => once(server.listen(port, host), 'listening'), setting, host, port);
}

/** Returns the URL of a server that listens. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
