import type { INestApplicationContext } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';

/**
 * Calls a handler with guards, interceptors and filters, but without a request, as @nestjs/graphql calls a resolver.
 *
 * @param context type of the call.
 */
export function callResolver(
  application: Pick<INestApplicationContext, 'get'>,
  order: () => Promise<unknown>,
  context = 'graphql',
): Promise<unknown> {
  const enhancers = { guards: true, interceptors: true, filters: true };
  const call = application
    .get(ExternalContextCreator)
    .create({ order }, order, 'order', undefined, undefined, undefined, undefined, enhancers, context) as (
    ...args: unknown[]
  ) => Promise<unknown>;
  return call(undefined, { id: 1 }, {}, {});
}
