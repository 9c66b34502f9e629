import { randomUUID } from 'node:crypto';
import type { ServeStaticModuleOptions } from '@nestjs/serve-static';
import { ClientDelivery, type ClientParts } from './client-delivery.ts';

/** A client: its pages, and its files below a path that only the server knows. */
export interface MountedClient {
  readonly delivery: ClientDelivery;
  readonly files: ServeStaticModuleOptions & { readonly serveRoot: string; readonly rootPath: string };
}

/**
 * @param clientDir absolute. A link in it is followed for each file, so that a deploy can swap it.
 * @param current returns the client as it is now.
 */
export function mounted(clientDir: string, current: () => ClientParts): MountedClient {
  const mount = `/${randomUUID()}`;
  return {
    delivery: new ClientDelivery(mount, current),
    files: {
      rootPath: clientDir,
      serveRoot: mount,
      // Serve-static only sends files: IndexPage has index.html, and a missing file continues to the 404.
      exclude: ['{*path}'],
      serveStaticOptions: {
        index: false,
        redirect: false,
        cacheControl: false,
        // ClientFiles decides which of them may be sent.
        dotfiles: 'allow',
      },
    },
  };
}
