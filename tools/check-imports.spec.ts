import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkImports, unusedPermissions } from './check-imports.ts';

const TABLE = `
\`\`\`imports backend
contract digest ->
not @nestjs/ : digest
not node:fs : digest
tunnel -> spool digest
spool -> spool/db/spool.worker tunnel
spool/db -> digest
store -> store/*
console -> store/event-store.ts
store/ingest store/db -> digest
main.ts -> tunnel
\`\`\`
`;

function check(file: string, line: string): readonly string[] {
  return checkImports(TABLE, 'backend', new Map([[file, `${line}\n`]]));
}

describe('checkImports', () => {
  it.each([
    ['a folder of the row', 'tunnel/tunnel.ts', "import { digest } from '../digest/digest.ts';"],
    ['the own folder', 'digest/digest.ts', "import { skeleton } from './skeleton.ts';"],
    ['all subfolders', 'store/store.ts', "import { ingest } from './ingest/ingest.ts';"],
    ['a single file', 'console/find.ts', "import type { EventStore } from '../store/event-store.ts';"],
    ['a worker by its URL', 'spool/thread.ts', 'new URL(`./db/spool.worker${extension}`, import.meta.url);'],
    ['a file at the root', 'main.ts', "import './tunnel/tunnel.ts';"],
    ['a package', 'tunnel/tunnel.ts', "import { Injectable } from '@nestjs/common';"],
  ])('accepts an import of %s', (_, file, line) => {
    expect(check(file, line)).toEqual([]);
  });

  it.each([
    ['a folder outside the row', 'digest/digest.ts', "import { Spool } from '../spool/spool.ts';"],
    ['a type', 'digest/digest.ts', "import type { Spool } from '../spool/spool.ts';"],
    ['a re-export', 'digest/digest.ts', "export { Spool } from '../spool/spool.ts';"],
    ['a side effect', 'digest/digest.ts', "import '../spool/spool.ts';"],
    ['a dynamic import', 'digest/digest.ts', "await import('../spool/spool.ts');"],
    [
      'a worker by its URL',
      'digest/digest.ts',
      'new URL(`../spool/db/spool.worker${extension}`, import.meta.url);',
    ],
    ['a subfolder that the row does not name', 'tunnel/tunnel.ts', "import { db } from '../spool/db/db.ts';"],
    ['the folder above', 'store/ingest/ingest.ts', "import { store } from '../store.ts';"],
    ['another file than the one named', 'console/find.ts', "import { thread } from '../store/store.ts';"],
    ['the root', 'tunnel/tunnel.ts', "import { main } from '../main.ts';"],
    ['a banned package', 'digest/digest.ts', "import { Injectable } from '@nestjs/common';"],
    ['a banned module', 'digest/digest.ts', "import { readFile } from 'node:fs/promises';"],
  ])('reports an import of %s', (_, file, line) => {
    expect(check(file, line)).toEqual([expect.stringContaining(`${file}: `)]);
  });

  it('reports a folder without a row', () => {
    expect(check('misc/helper.ts', '')).toEqual(['misc/helper.ts: the table has no row for misc']);
  });

  it('reports a circle of folders, and not the folders beside it', () => {
    const files = new Map([
      ['main.ts', "import './tunnel/tunnel.ts';"],
      ['tunnel/tunnel.ts', "import '../spool/spool.ts'; import '../digest/digest.ts';"],
      ['spool/spool.ts', "import '../tunnel/tunnel.ts';"],
    ]);

    expect(checkImports(TABLE, 'backend', files)).toEqual(['circle of folders: tunnel spool']);
  });

  it('reads a frontend import of the backend by its package name', () => {
    const table = '```imports frontend\napi -> @errata/backend/contract\n```\n';
    const files = new Map([
      ['api/find.ts', "import type { A } from '@errata/backend/contract/a.ts';"],
      ['api/spool.ts', "import type { B } from '@errata/backend/spool/b.ts';"],
    ]);

    expect(checkImports(table, 'frontend', files)).toEqual([expect.stringContaining('api/spool.ts: ')]);
  });

  it('finds both tables in docs/architecture.md', () => {
    const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'architecture.md'), 'utf8');

    expect(checkImports(document, 'backend', new Map())).toEqual([]);
    expect(checkImports(document, 'frontend', new Map())).toEqual([]);
  });
});

describe('unusedPermissions', () => {
  const files = new Map([
    ['console/find.ts', "import type { EventStore } from '../store/event-store.ts';"],
    ['store/store.ts', "import './ingest/ingest.ts';"],
    ['tunnel/tunnel.ts', "import '../spool/spool.ts';"],
  ]);
  const tableOf = (rows: string): string => `\`\`\`imports backend\n${rows}\n\`\`\`\n`;

  it.each(['tunnel -> spool', 'store -> store/*', 'console -> store/event-store.ts'])('accepts %s', (row) => {
    expect(unusedPermissions(tableOf(row), 'backend', files)).toEqual([]);
  });

  it.each([
    ['tunnel -> spool digest', 'no file of tunnel imports digest'],
    ['tunnel store -> spool', 'no file of store imports spool'],
    ['store -> store/* spool/*', 'no file of store imports spool/*'],
    ['misc -> spool', 'no file of misc imports spool'],
  ])('reports %s', (row, fault) => {
    expect(unusedPermissions(tableOf(row), 'backend', files)).toContain(`docs/architecture.md: ${fault}`);
  });
});
