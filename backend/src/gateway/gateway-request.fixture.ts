/** A request as a gateway sends it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const request = (method: string, url: string, text: string): SentRequest => ({
  method,
  url,
  headers: text
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
});

/** Requests that gateways have sent: recorded from nginx 1.22, HAProxy 2.6 and Caddy 2.6, the others written by their source. */
export const RECORDED = {
  'nginx, a dead backend': request(
    'GET',
    '/dead/cart?token=abc&page=2',
    `Host: 127.0.0.1
     X-Code: 502
     X-Format: text/html,*/*;q=0.8
     X-Original-URI: /dead/cart?token=abc&page=2
     X-Original-Method: GET
     X-Request-ID: b6fcd35edc519ed72507951c216a86d6
     X-Service-Name: shop
     X-Errata-Upstream: 127.0.0.1:38999
     User-Agent: curl/7.88.1
     Accept: text/html,*/*;q=0.8
     Sec-Fetch-Dest: document`,
  ),
  'nginx, a failed POST': request(
    'GET',
    '/orders/4711',
    `Host: 127.0.0.1
     X-Code: 500
     X-Format: application/json
     X-Original-URI: /orders/4711
     X-Original-Method: POST
     X-Request-ID: d59406f042df3e6846cceb05880f043d
     X-Service-Name: shop
     X-Errata-Upstream: 127.0.0.1:38080
     Accept: application/json
     sentry-trace: 0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1
     Content-Type: application/x-www-form-urlencoded`,
  ),
  'nginx, a failure with a digest': request(
    'GET',
    '/own',
    `Host: 127.0.0.1
     X-Code: 500
     X-Format: application/json
     X-Original-URI: /own
     X-Original-Method: GET
     X-Request-ID: c5ad7845bb77a1768c01c45e6fcaf29d
     X-Service-Name: shop
     X-Errata-Digest: 7KQ4-M2XD
     X-Errata-Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     X-Errata-Upstream: 127.0.0.1:38080
     Accept: application/json
     traceparent: 00-11111111111111111111111111111111-1111111111111111-01`,
  ),
  'nginx, a 503 with Retry-After': request(
    'GET',
    '/retry',
    `Host: 127.0.0.1
     X-Code: 503
     X-Format: application/json
     X-Original-URI: /retry
     X-Original-Method: GET
     X-Request-ID: 26d9054d1bc614138a96ee3294753ed0
     X-Service-Name: shop
     X-Errata-Upstream: 127.0.0.1:38080
     Retry-After: 30
     Accept: application/json`,
  ),
  'HAProxy, a dead backend': request(
    'GET',
    '/cart?token=abc',
    `host: 127.0.0.1:38091
     user-agent: curl/7.88.1
     accept: text/html
     content-length: 3
     x-code: 503
     x-service-name: shop
     x-original-uri: /cart?token=abc
     x-request-id: 7F000001:BCDE_7F000001:94CB_6B0CD0B5_0000:3A1A`,
  ),
  'Caddy, a failed POST': request(
    'GET',
    '/orders/4711?token=abc',
    `Host: 127.0.0.1:38092
     Accept: text/html
     Sentry-Trace: 0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1
     X-Code: 500
     X-Errata-Cause:
     X-Errata-Digest: {http.reverse_proxy.header.X-Errata-Digest}
     X-Format: text/html
     X-Forwarded-For: 127.0.0.1
     X-Forwarded-Host: 127.0.0.1:38092
     X-Original-Method: POST
     X-Original-Uri: /orders/4711?token=abc
     X-Request-Id: 6ea6b15c-0947-4db7-a730-70afd6a4da62
     X-Service-Name: shop`,
  ),
  'Caddy, a dead backend': request(
    'GET',
    '/cart',
    `Host: 127.0.0.1:38093
     Accept: text/html
     X-Code: 502
     X-Errata-Cause: dial tcp 127.0.0.1:38999: connect: connection refused
     X-Errata-Digest:
     X-Format: text/html
     X-Original-Method: POST
     X-Original-Uri: /cart
     X-Request-Id: 3e3e8cde-f573-497e-8b41-762f06befa81
     X-Service-Name: shop`,
  ),
  'Envoy Gateway': request(
    'GET',
    '/503',
    `host: shop-4f1c.pages.internal
     accept: text/html
     sec-fetch-dest: document
     x-request-id: 0c9a34a8-65a1-9d39-8d38-1b0f6f5f0f47
     x-forwarded-proto: https
     x-service-name: shop
     traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`,
  ),
  'Traefik, errors': request(
    'GET',
    '/500?url=%2Forders%2F4711%3Fsort%3Dname%26password%3Dabc',
    `Host: shop.example
     Accept: application/json
     X-Service-Name: shop
     X-Request-Id: 4f0c6d4f-1d43-4b8f-9a43-f44b6a2f6a10`,
  ),
  'Traefik, annotations of nginx': request(
    'GET',
    '/',
    `Host: shop.example
     X-Code: 200
     X-Code: 504
     Cookie: sid=1
     Accept: text/html
     X-Format: text/html
     X-Original-URI: /orders/4711
     X-Namespaces: prod
     X-Ingress-Name: public
     X-Service-Name: Forged
     X-Service-Name: shop
     X-Request-ID: 4f0c6d4f-1d43-4b8f-9a43-f44b6a2f6a10`,
  ),
  'ingress-nginx': request(
    'GET',
    '/orders/4711',
    `Host: shop.example
     X-Code: 503
     X-Format: text/html
     X-Original-URI: /orders/4711
     X-Namespace: prod
     X-Ingress-Name: public
     X-Service-Name: shop
     X-Service-Port: 80
     X-Request-ID: 98b1f3a1c26b0d6e5c5fb0b7a3f1f7d1`,
  ),
} as const;

/** Returns a request in the form of node:http. */
export function received({ method, url, headers }: SentRequest) {
  const headersDistinct: Record<string, string[]> = {};
  for (const [name, value] of headers) (headersDistinct[name.toLowerCase()] ??= []).push(value);
  return { method, url, headersDistinct };
}
