import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import { type Plugin, rolldown } from 'rolldown';

/**
 * Puts the libraries that backend/dist imports into dist/node_modules, as few files with only what is imported: the process
 * then loads 40 files of libraries in the place of 1,900, with half of the processor time. Node looks there before it looks
 * in the installed packages, so no import changes, and stack traces name libraries as such. Without the folder (`make
 * dev`) everything works from the installed packages. Runs after the compiler; docs/decisions/018-bundled-libraries.md.
 */

const DIST = join(import.meta.dirname, 'dist');
const OUTPUT = join(DIST, 'node_modules');

/** Packages that a library loads only where they are installed. They are not, and stay so. */
const OPTIONAL = [
  /^@nestjs\/(microservices|websockets)(\/|$)/,
  /^@fastify\//,
  'class-transformer',
  'class-validator',
  'fastify',
  'pg-native',
];

/** Files of libraries that dist reads by their specifier. */
const FILES = ['brotli-dec-wasm/web/bg.wasm'];

/** By module specifier, the names that dist imports from it. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the imports of all files of dist. @throws for an import whose names cannot be listed. */
function importsOf(folder: string): Imports {
  const names = new Map<string, Set<string>>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const code = readFileSync(join(folder, file), 'utf8');
    const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    const namespaces = new Map<string, string>();
    for (const node of program.body) {
      if (node.type !== 'ImportDeclaration' || !isLibrary(node.source.value)) continue;
      const specifier = String(node.source.value);
      const taken = names.get(specifier) ?? new Set();
      names.set(specifier, taken);
      for (const each of node.specifiers) {
        if (each.type === 'ImportNamespaceSpecifier') namespaces.set(each.local.name, specifier);
        else taken.add(each.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(each.imported));
      }
    }
    const refuse = (specifier: unknown): never => {
      throw new Error(`${file}: import what it needs of ${String(specifier)} by name`);
    };
    ancestor(program, {
      Identifier: ({ name }, _, ancestors) => {
        const specifier = namespaces.get(name);
        if (specifier === undefined) return;
        const parent = ancestors.at(-2);
        const isRead = parent?.type === 'MemberExpression' && !parent.computed;
        if (!isRead || parent.property.type !== 'Identifier') return refuse(specifier);
        names.get(specifier)?.add(parent.property.name);
      },
      ImportExpression: ({ source }) => {
        if (source.type === 'Literal' && isLibrary(source.value)) refuse(source.value);
      },
    });
    for (const node of program.body)
      if ('source' in node && node.type !== 'ImportDeclaration' && isLibrary(node.source?.value))
        refuse(node.source?.value);
  }
  return names;
}

function isLibrary(specifier: unknown): boolean {
  return typeof specifier === 'string' && !specifier.startsWith('.') && !specifier.startsWith('node:');
}

function nameOf(imported: {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
}): string {
  return imported.type === 'Identifier' ? String(imported.name) : String(imported.value);
}

/** A module for each specifier, which exports what is imported from it. */
function entries(imports: Imports): Plugin {
  // With `.mjs` a default import of CommonJS is what Node makes of it.
  const idOf = (specifier: string): string => `\0${specifier}.mjs`;
  return {
    name: 'entries',
    resolveId: (id, importer) => (importer === undefined && imports.has(id) ? idOf(id) : undefined),
    load: (id) => {
      const specifier = [...imports.keys()].find((each) => idOf(each) === id);
      if (specifier === undefined) return undefined;
      const names = [...(imports.get(specifier) ?? [])];
      // What `require` returns: @nestjs/serve-static requires express.
      const required = names.includes('default') ? ["default as 'module.exports'"] : [];
      return `export { ${[...names, ...required].join(', ')} } from '${specifier}';`;
    },
  };
}

/** Name of the package, and the rest of the specifier: `kysely/migration` is [`kysely`, `migration`]. */
function partsOf(specifier: string): readonly [name: string, path: string] {
  const [, name = '', path = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(specifier) ?? [];
  return [name, path];
}

/** Name of the folder of a module: `@nestjs/core/nest-factory.js` is in `@nestjs/core/nest-factory`. */
function folderOf(specifier: string): string {
  return specifier.replace(/\.js$/, '');
}

rmSync(OUTPUT, { recursive: true, force: true });
const imports = importsOf(DIST);
const build = await rolldown({
  cwd: import.meta.dirname,
  platform: 'node',
  input: Object.fromEntries([...imports.keys()].map((specifier) => [folderOf(specifier), specifier])),
  external: OPTIONAL,
  plugins: [entries(imports)],
  onLog: (level, log) => {
    if (log.code !== 'UNRESOLVED_IMPORT' && level === 'warn') process.stderr.write(`${log.message}\n`);
  },
});
await build.write({
  dir: OUTPUT,
  format: 'esm',
  // Nest's messages and injection tokens contain names of classes.
  keepNames: true,
  strictExecutionOrder: true,
  entryFileNames: '[name]/index.mjs',
  chunkFileNames: '.shared/[name].mjs',
});
const exportsOf = Map.groupBy(imports.keys(), (specifier) => partsOf(specifier)[0]);
for (const [name, specifiers] of exportsOf) {
  const targets = specifiers.map((specifier) => {
    const [, path] = partsOf(specifier);
    return path === '' ? ['.', './index.mjs'] : [`./${path}`, `./${folderOf(path)}/index.mjs`];
  });
  for (const each of FILES.filter((path) => partsOf(path)[0] === name)) {
    copyFileSync(fileURLToPath(import.meta.resolve(each)), join(OUTPUT, each));
    const path = `./${partsOf(each)[1]}`;
    targets.push([path, path]);
  }
  const file = join(OUTPUT, name, 'package.json');
  if (existsSync(file)) throw new Error(`${file} exists`);
  writeFileSync(file, `${JSON.stringify({ name, exports: Object.fromEntries(targets) }, null, 2)}\n`);
}
