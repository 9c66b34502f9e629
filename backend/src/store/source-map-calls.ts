import { keepClient, type KeepLimits, type Kept } from './source-maps/keep-client.ts';
import type { StoreContext } from './store-context.ts';

/** The source maps of this client and of earlier ones. */
export const SOURCE_MAP_CALLS = {
  /** Keeps the maps of the clients that are served; undefined where none is. */
  keepSourceMaps: async (
    { db, client, needRoom, now }: StoreContext,
    limits: KeepLimits,
  ): Promise<Kept | undefined> =>
    client === null ? undefined : keepClient(db, client, limits, now(), needRoom),
};
