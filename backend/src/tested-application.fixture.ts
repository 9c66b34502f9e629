import type { DynamicModule, INestApplication, NestApplicationOptions } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';

/** Creates an application as a test of it does: its HTTP adapter comes after its providers. */
export async function testedApplication(
  root: DynamicModule,
  adapter: AbstractHttpAdapter,
  options: NestApplicationOptions,
): Promise<INestApplication> {
  const module = await Test.createTestingModule({ imports: [root] }).compile();
  return module.createNestApplication(adapter, options);
}
