import { projectName } from './project-name.ts';

it.each([
  ['https://a1b2@o1.ingest.sentry.example/42', 'o1.ingest.sentry.example/42'],
  ['https://a1b2@sentry.example:8443/42', 'sentry.example:8443/42'],
  ['https://a1b2@sentry.example:9443/42', 'sentry.example:9443/42'],
  ['no DSN', 'no DSN'],
])('calls a project by what stands behind its key (%s)', (dsn, name) => {
  expect(projectName(dsn)).toBe(name);
});
