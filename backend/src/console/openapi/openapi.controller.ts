import { Controller, Get, UseGuards } from '@nestjs/common';
import { ConsoleGuard } from '../auth/console.guard.ts';
import description from './openapi.json' with { type: 'json' };
import { CONSOLE_OPENAPI_PATH } from './operations.ts';

/** Returns the OpenAPI 3.1 description of the console's API. */
@Controller()
@UseGuards(ConsoleGuard)
export class OpenApiController {
  @Get(CONSOLE_OPENAPI_PATH)
  describe(): unknown {
    return description;
  }
}
