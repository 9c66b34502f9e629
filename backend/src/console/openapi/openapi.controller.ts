import { Controller, Get, UseGuards } from '@nestjs/common';
import { ConsoleGuard } from '../auth/console.guard.ts';
import description from './openapi.json' with { type: 'json' };
import { CONSOLE_OPENAPI_PATH } from './operations.ts';

/** The description of this API, for people and their tools: OpenAPI 3.1. */
@Controller()
@UseGuards(ConsoleGuard)
export class ApiDescriptionController {
  @Get(CONSOLE_OPENAPI_PATH)
  describe(): unknown {
    return description;
  }
}
