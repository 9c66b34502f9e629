import { once } from 'node:events';
import { connect } from 'node:net';
import { since } from './waiting.ts';

/** Interval of the pieces; each is what may come in that time. */
const PIECE_EVERY_MS = 1_000;

/** A body that is sent slowly, or not at all. */
export interface SlowBody {
  readonly announcedBytes: number;
  /** Repeated until the announced length is reached. */
  readonly bytes: Buffer;
  readonly bytesPerSecond: number;
}

export interface SlowAnswer {
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  readonly ms: number;
}

/** Uploads a body to the tunnel at its rate, until it is answered. */
export async function uploadSlowly(
  url: string,
  { announcedBytes, bytes, bytesPerSecond }: SlowBody,
): Promise<SlowAnswer> {
  const startedAtMs = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST /tunnel HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${announcedBytes}\r\n\r\n`);
  let sent = 0;
  const sendPiece = (): void => {
    const from = sent % bytes.length;
    const piece = bytes.subarray(from, from + Math.min(bytesPerSecond, announcedBytes - sent));
    sent += piece.length;
    if (piece.length > 0 && socket.writable) socket.write(piece);
  };
  const timer = setInterval(sendPiece, PIECE_EVERY_MS);
  sendPiece();
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])]);
  clearInterval(timer);
  socket.destroy();
  const status = /^HTTP\/1\.1 (?<status>\d+)/.exec(String(answer[0] ?? ''))?.groups?.['status'];
  return { status: status === undefined ? null : Number(status), ms: since(startedAtMs) };
}
