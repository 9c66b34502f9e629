import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const INDEX = '<!doctype html><title>Shop</title>';

/** A folder for tests, with an index.html. */
export class ClientFolder {
  /** Holds the client and what lies beside it. */
  readonly parent = mkdtempSync(join(tmpdir(), 'errata-client-'));
  readonly path = join(this.parent, 'client');

  /** @param files contents by path below the folder. */
  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    for (const [path, content] of Object.entries({ 'index.html': INDEX, ...files }))
      this.write(path, content);
  }

  write(path: string, content: string | Buffer): void {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  link(path: string, target: string): void {
    symlinkSync(target, join(this.path, path));
  }

  lose(path: string): void {
    rmSync(join(this.path, path));
  }

  remove(): void {
    rmSync(this.parent, { recursive: true, force: true });
  }
}
