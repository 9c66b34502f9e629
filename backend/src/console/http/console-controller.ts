import { Controller, VERSION_NEUTRAL } from '@nestjs/common';

/** A controller whose paths have no version, although the application around it may give one to its own (`/v1/orders`). */
export function ConsoleController(path = ''): ClassDecorator {
  return Controller({ path, version: VERSION_NEUTRAL });
}
