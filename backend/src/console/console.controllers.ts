import type { Type } from '@nestjs/common';
import { ApiDescriptionController } from './api-description.controller.ts';
import { AuditController } from './audit.controller.ts';
import { DeliveryController } from './delivery.controller.ts';
import { ErasureController } from './erasure.controller.ts';
import { IssuesController } from './issues.controller.ts';
import { LiveController } from './live.controller.ts';
import { LookUpController } from './look-up.controller.ts';
import { OidcController } from './oidc/oidc.controller.ts';
import { SessionController } from './session.controller.ts';
import { SessionsController } from './sessions.controller.ts';

/** What the API is made of; operations.ts describes it. */
export const API_CONTROLLERS: readonly Type[] = [
  ApiDescriptionController,
  SessionController,
  LookUpController,
  IssuesController,
  LiveController,
  DeliveryController,
  SessionsController,
  AuditController,
  ErasureController,
];

/** Everything that answers below /console/api: with it where browsers are sent through on their way to a provider. */
export const CONSOLE_CONTROLLERS: readonly Type[] = [...API_CONTROLLERS, OidcController];
