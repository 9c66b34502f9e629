import { createHmac } from 'node:crypto';

/**
 * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of time and body. The time is signed too, so that a call somebody has recorded
 * cannot be made again later: receivers refuse old ones.
 */
export function signatureOf(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
