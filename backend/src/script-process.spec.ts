import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ErrorReportingModule, report } from './error-reporting.module.ts';
import { urlOf } from './health/listen-on.ts';

const QUIET = { logger: false, abortOnError: false } as const;

/** Compiles the decorators of the module, as the transform of the specs does. */
const COMPILER = `
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { transformSync } from ${JSON.stringify(import.meta.resolve('@swc/core'))};
const jsc = {
  parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true, decoratorMetadata: true },
  target: 'es2024', experimental: { keepImportAttributes: true },
};
registerHooks({
  load: (url, context, next) => url.endsWith('.ts')
    ? { format: 'module', shortCircuit: true, source: transformSync(readFileSync(new URL(url), 'utf8'), { jsc }).code }
    : next(url, context),
});`;

/** A script that reports, and does not close its application. */
const SCRIPT = `
import { Module } from ${JSON.stringify(import.meta.resolve('@nestjs/common'))};
import { NestFactory } from ${JSON.stringify(import.meta.resolve('@nestjs/core'))};
import { ErrorReportingModule, report } from ${JSON.stringify(import.meta.resolve('./error-reporting.module.ts'))};
class Export {}
Module({ imports: [ErrorReportingModule.forRoot()] })(Export);
await NestFactory.createApplicationContext(Export, { logger: false });
report(new Error('reported by a process'));`;

describe('an application without HTTP', () => {
  let directory: string;
  let upstream: Server;
  /** Messages of the errors that the upstream has accepted. */
  let accepted: string[];
  /** The next answers, then the last one again. */
  let statuses: number[];
  let settings: Readonly<Record<string, string>>;
  let script: ChildProcess | undefined;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-script-'));
    accepted = [];
    statuses = [200];
    upstream = createServer((request, response) => {
      void text(request).then((body) => {
        const [status = 500] = statuses.length > 1 ? statuses.splice(0, 1) : statuses;
        if (status === 200) accepted.push(/"value":"([^"]+)"/.exec(body)?.[1] ?? body);
        response.writeHead(status).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    settings = {
      ERRATA_DATA_DIR: directory,
      ERRATA_BACKOFF_MIN: '1h',
      ERRATA_BACKOFF_MAX: '1h',
      SENTRY_DSN: `http://${'a'.repeat(32)}@${urlOf(upstream).slice('http://'.length)}/1`,
    };
  });

  afterEach(() => {
    script?.kill('SIGKILL');
    upstream.close();
    rmSync(directory, { recursive: true });
  });

  /** Runs a script that reports an error and closes. */
  async function run(message: string): Promise<void> {
    @Module({ imports: [ErrorReportingModule.forRoot({ settings })] })
    class ExportModule {}
    const application = await NestFactory.createApplicationContext(ExportModule, QUIET);
    report(new Error(message));
    await application.close();
  }

  it('delivers its reports before its close ends', async () => {
    await run('reported by run one');

    expect(accepted).toEqual(['reported by run one']);
  });

  it('leaves them to its next run when the upstream fails', async () => {
    statuses = [503];
    await run('reported by run one');
    await run('reported by run two');
    const before = [...accepted];
    statuses = [200];
    await run('reported by run three');

    expect(before).toEqual([]);
    expect(accepted.sort()).toEqual(['reported by run one', 'reported by run three', 'reported by run two']);
  });

  it.each([
    ['after one more try of an upstream that has failed', [503, 200], ['reported by a process']],
    ['also while its upstream fails', [503], []],
  ])('ends by itself when it has nothing left to do, %s', async (_, answers, messages) => {
    statuses = answers;
    const [compiler, main] = [join(directory, 'compiler.mjs'), join(directory, 'main.mjs')];
    writeFileSync(compiler, COMPILER);
    writeFileSync(main, SCRIPT);
    script = spawn(process.execPath, ['--import', compiler, main], {
      env: settings,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(script, 'exit')) as [number];

    expect(code).toBe(0);
    expect(accepted).toEqual(messages);
  });
});
