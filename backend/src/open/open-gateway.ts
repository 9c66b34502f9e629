import type { RequestListener } from 'node:http';
import { DEFAULT_CLIENT_DIR } from '../config/paths.ts';
import { ErrorPages } from '../errors/error-pages.ts';
import { pageHelpOf } from '../errors/page-help.ts';
import type { PageLines } from '../errors/page-lines.ts';
import { gatewayListener, type GatewayOptions } from '../gateway/gateway-listener.ts';
import type { AllowedProject } from '../tunnel/allow-list.ts';
import type { ErrataOptions } from './options.ts';

interface GatewayParts extends Pick<GatewayOptions, 'spool' | 'clients'> {
  readonly options: ErrataOptions;
  /** The first one has the events. */
  readonly projects: readonly [AllowedProject, ...AllowedProject[]];
  readonly pageLines: PageLines;
}

/**
 * Opens the listener for gateways. Its pages are those of other applications: their home is `/`, and the not-found page of a
 * client of this server is none of them.
 */
export function openGateway({ options, projects, pageLines, spool, clients }: GatewayParts): RequestListener {
  const { config, clientDir, log, metrics, time } = options;
  const own = { ...projects[0], environment: config.environment };
  const help = pageHelpOf({ ...config, basePath: '' }, pageLines);
  const pages = ErrorPages.read([clientDir, DEFAULT_CLIENT_DIR], help);
  return gatewayListener({ own, spool, pages, clients, log, metrics, time });
}
