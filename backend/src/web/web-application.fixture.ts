import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ServedClients } from './served-clients.ts';
import { WebModule } from './web.module.ts';

/** Starts an application that has nothing but clients. */
export async function webApplication(served: ServedClients): Promise<NestExpressApplication> {
  const application = await NestFactory.create<NestExpressApplication>(WebModule.forRoot(served), {
    logger: false,
  });
  return application.init();
}
