import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '../telemetry/metrics.ts';
import { HealthController } from './health.controller.ts';
import { Readiness } from './readiness.ts';

/** The application on the management port; it shares its objects with the main application. */
@Module({})
export class ManagementModule {
  static forRoot(readiness: Readiness, metrics: Metrics): DynamicModule {
    return {
      module: ManagementModule,
      controllers: [HealthController],
      providers: [
        { provide: Readiness, useValue: readiness },
        { provide: Metrics, useValue: metrics },
      ],
    };
  }
}
