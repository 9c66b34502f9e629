import { NestFactory } from '@nestjs/core';
import { ErrorReportingModule } from './error-reporting.module.ts';

/** Starts an application with the module, and returns the error that Nest prints. */
async function failureOf(settings: Readonly<Record<string, string>>): Promise<Error> {
  const module = ErrorReportingModule.forRoot({ settings });
  const options = { logger: false, abortOnError: false } as const;
  return NestFactory.createApplicationContext(module, options).then(
    () => new Error('it started'),
    (error: Error) => error,
  );
}

describe('ErrorReportingModule', () => {
  it('names the adapter that it needs and the one that the application has, in one line', async () => {
    const { message, stack } = await failureOf({});

    expect(message).toBe('Errata needs the adapter of @nestjs/platform-express; this application has: none');
    expect(stack).toBeUndefined();
  });
});
