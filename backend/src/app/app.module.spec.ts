import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleLogger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { readConfig } from '../config/config.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AppModule } from './app.module.ts';
import { openErrata } from './open-errata.ts';

class KeptLog extends ConsoleLogger {
  readonly lines: string[] = [];

  override log(line: string): void {
    this.lines.push(line);
  }
}

it("shows the tunnel's controller and its paths in Nest's route log", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-routes-'));
  const config = readConfig({ ERRATA_DATA_DIR: directory, ERRATA_TUNNEL_PATH: '/errors' });
  const errata = await openErrata(config, createLog('silent'), new Metrics());
  const logger = new KeptLog();
  const application = await NestFactory.create(AppModule.forRoot(errata), { logger });

  await application.init();

  const { lines } = logger;
  const routes = lines.flatMap(
    (line) => /^Mapped \{(?<path>.*), ALL\} route$/.exec(line)?.groups?.['path'] ?? [],
  );
  expect(routes).toEqual(errata.tunnel.paths);
  expect(routes).toEqual(expect.arrayContaining(['/errors', '/api/:project/envelope', '/reports']));
  expect(lines.join()).toContain('TunnelController {/errors}');
  await application.close();
  rmSync(directory, { recursive: true });
});
