import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/**
 * Keeps paths where they are documented, whatever global prefix the application sets: browsers, SDKs and the pages of the
 * console know them. Must be called before the routes exist and after the application has set its prefix.
 *
 * @param paths patterns of Express; `*path` at the end stands for all paths below.
 */
export function keepOutsideOfPrefix(application: ApplicationConfig, paths: readonly string[]): void {
  const options = application.getGlobalPrefixOptions();
  const own = paths.map((path) => ({
    path,
    pathRegex: new RegExp(`^${path.replace('*path', '.+')}$`),
    requestMethod: RequestMethod.ALL,
  }));
  application.setGlobalPrefixOptions({ ...options, exclude: [...(options.exclude ?? []), ...own] });
}
