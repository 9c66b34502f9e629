import { createHmac } from 'node:crypto';

/**
 * Returns the signature header `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of time and body. The signed time stops replays
 * of a recorded request: receivers refuse old times.
 */
export function signatureOf(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
