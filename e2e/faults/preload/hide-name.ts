import { syncBuiltinESMExports } from 'node:module';
import dns from 'node:dns';
import { existsSync } from 'node:fs';

/**
 * Preloaded into Errata: the name `upstream.test` resolves to this machine while the file BENCH_NAME_FILE exists, and to
 * nothing otherwise.
 */

type Callback = (error: NodeJS.ErrnoException | null, address?: unknown, family?: number) => void;

const NAME = 'upstream.test';
const file = process.env['BENCH_NAME_FILE'] ?? '';
const realLookup = dns.lookup as (...args: readonly unknown[]) => void;

function lookup(name: string, ...rest: readonly unknown[]): void {
  if (name !== NAME) {
    realLookup(name, ...rest);
    return;
  }
  const callback = rest.at(-1) as Callback;
  const options = rest.length > 1 ? (rest[0] as { readonly all?: boolean }) : {};
  setImmediate(() => {
    if (!existsSync(file)) {
      callback(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${NAME}`), { code: 'ENOTFOUND', hostname: NAME }),
      );
    } else if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
    else callback(null, '127.0.0.1', 4);
  });
}

Object.assign(dns, { lookup });
syncBuiltinESMExports();
