import type { Type } from '@nestjs/common';
import { AlertsController } from './alerts/alerts.controller.ts';
import { AuditController } from './auth/audit.controller.ts';
import { OidcController } from './auth/oidc/oidc.controller.ts';
import { SessionsController } from './auth/sessions.controller.ts';
import { SignInController } from './auth/sign-in.controller.ts';
import { DeliveryController } from './delivery/delivery.controller.ts';
import { ErasureController } from './erasure/erasure.controller.ts';
import { LiveController } from './live/live.controller.ts';
import { IssuesController } from './find/issues.controller.ts';
import { AnswerController } from './find/answer.controller.ts';
import { FindController } from './find/find.controller.ts';
import { OpenApiController } from './openapi/openapi.controller.ts';
import { SetupController } from './setup/setup.controller.ts';

/** The controllers of the API that openapi/operations.ts describes. */
export const API_CONTROLLERS: readonly Type[] = [
  OpenApiController,
  SignInController,
  FindController,
  AnswerController,
  IssuesController,
  SetupController,
  LiveController,
  DeliveryController,
  AlertsController,
  SessionsController,
  AuditController,
  ErasureController,
];

/** All controllers below /console/api: the API, and the redirects to and from an OpenID Connect provider. */
export const CONSOLE_CONTROLLERS: readonly Type[] = [...API_CONTROLLERS, OidcController];
