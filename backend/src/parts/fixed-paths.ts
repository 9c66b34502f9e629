import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/**
 * Keeps a path where it is documented, whatever global prefix the application sets. Must be called before the routes exist
 * and after the application has set its prefix.
 */
export function keepOutsideOfPrefix(application: ApplicationConfig, path: string): void {
  const options = application.getGlobalPrefixOptions();
  const own = { path, pathRegex: new RegExp(`^${path}$`), requestMethod: RequestMethod.ALL };
  application.setGlobalPrefixOptions({ ...options, exclude: [...(options.exclude ?? []), own] });
}
