import type { IncomingHttpHeaders } from 'node:http';
import { acceptedForm } from '../errors/negotiate.ts';

/** Extensions of the files that pages load or crawlers look for. Any other dot belongs to an id: `v1.2`, `john.doe`. */
const ASSET =
  /\.(avif|bmp|css|csv|eot|gif|html?|ico|jpe?g|js|json|map|md|mjs|mp[34]|og[gv]|otf|pdf|png|rss|svg|ttf|txt|wasm|wav|web[mp]|webmanifest|woff2?|xml|zip)$/i;

/**
 * Returns whether a request for a path that may be a page is for one, and not for a part of a page that is missing: a
 * browser that gets a page for a script fails with `Unexpected token '<'`. A path of an asset needs a request that names
 * HTML, or comes from a navigation.
 *
 * @param path without query.
 */
export function asksForPage(headers: IncomingHttpHeaders, path: string): boolean {
  const form = acceptedForm(headers, path);
  return form === 'html' || (form === 'any' && !ASSET.test(path));
}
