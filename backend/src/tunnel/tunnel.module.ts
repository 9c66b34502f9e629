import { type DynamicModule, Module } from '@nestjs/common';
import { TunnelController } from './tunnel.controller.ts';
import { Tunnel } from './tunnel.ts';

/** The routes of a tunnel in Nest's router; for Errata's own process only, see {@link TunnelController}. */
@Module({})
export class TunnelModule {
  static forRoot(tunnel: Tunnel): DynamicModule {
    return {
      module: TunnelModule,
      controllers: [TunnelController.at(tunnel.paths)],
      providers: [{ provide: Tunnel, useValue: tunnel }],
    };
  }
}
