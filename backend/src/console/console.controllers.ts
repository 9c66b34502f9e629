import type { Type } from '@nestjs/common';
import { ApiDescriptionController } from './openapi/openapi.controller.ts';
import { AuditController } from './auth/audit.controller.ts';
import { DeliveryController } from './delivery/delivery.controller.ts';
import { ErasureController } from './erasure/erasure.controller.ts';
import { IssuesController } from './look-up/issues.controller.ts';
import { LiveController } from './live/live.controller.ts';
import { LookUpController } from './look-up/look-up.controller.ts';
import { OidcController } from './auth/oidc/oidc.controller.ts';
import { SessionController } from './auth/sign-in.controller.ts';
import { SessionsController } from './auth/sessions.controller.ts';

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
