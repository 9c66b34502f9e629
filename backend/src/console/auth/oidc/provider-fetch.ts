import type { CustomFetch } from 'openid-client';
import { type Dispatcher, fetch } from 'undici';
import { dispatcherTo, type EgressProxy } from '../../../net/outgoing.ts';

/** For a connection, or a tunnel to the provider. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Content codings that are decoded: some proxies compress what no client has asked for. `x-gzip` is RFC 9110, 8.4.1.3. */
const DECODED: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate']);

/**
 * Returns a fetch for the provider, which asks for a response without a content coding; plain fetch asks for brotli over HTTPS
 * and decodes all that it gets. A decoder that a hostile provider can choose is a way to attack the process, so the decoders
 * of brotli and zstd are never created: fetch creates one with the headers, before it returns the response. It rejects with a
 * TypeError whose cause names the coding.
 */
export function providerFetch(proxy: EgressProxy): CustomFetch {
  const dispatcher = dispatcherTo(null, { connect: { timeout: CONNECT_TIMEOUT_MS } }, proxy).compose(
    (dispatch) => (options, handler) => dispatch(options, refusingOtherCodings(handler)),
  );
  return async (url, options) => {
    const headers = { ...options.headers, 'accept-encoding': 'identity' };
    const response: unknown = await fetch(url, { ...options, headers, dispatcher });
    return response as Response;
  };
}

/** Passes everything on to the handler of a request, but ends a response with another content coding at its headers. */
function refusingOtherCodings(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers, message) => {
      const codings = String(headers['content-encoding'] ?? '').toLowerCase();
      if (codings.split(',').every((coding) => DECODED.has(coding.trim())))
        handler.onResponseStart?.(controller, status, headers, message);
      else
        controller.abort(
          new Error(`the provider responded with the content coding ${codings}; turn it off there`),
        );
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
