import { EVERY_ALERT } from '../test/alert-options.fixture.ts';
import { allows, type RaisedAlert } from './targets.ts';

const ALERT: RaisedAlert = {
  event: 'issue.new',
  kind: 'server',
  environment: 'production',
  project: 'errors.example/1',
  level: 'error',
};

it.each<[string, Partial<typeof EVERY_ALERT>, Partial<RaisedAlert>, boolean]>([
  ['every alert', {}, { environment: null, level: null }, true],
  ['a kind of alert', { on: ['issue.new'] }, {}, true],
  ['another kind of alert', { on: ['issue.regressed'] }, {}, false],
  ['a kind of issue', { kinds: ['server'] }, {}, true],
  ['another kind of issue', { kinds: ['browser'] }, {}, false],
  ['an environment', { environments: ['staging', 'production'] }, {}, true],
  ['another environment', { environments: ['staging'] }, {}, false],
  ['an environment, of an event without one', { environments: ['production'] }, { environment: null }, false],
  ['a project', { projects: ['errors.example/1'] }, {}, true],
  ['another project', { projects: ['errors.example/2'] }, {}, false],
  ['its level', { level: 'error' }, {}, true],
  ['a higher level', { level: 'fatal' }, {}, false],
  ['a lower level', { level: 'warning' }, {}, true],
  ['errors, of a warning', { level: 'error' }, { level: 'warning' }, false],
  ['errors, of an event without a level', { level: 'error' }, { level: null }, true],
  ['errors, of a text that is no level', { level: 'error' }, { level: 'loud' }, true],
  ['two things, of which one is another', { on: ['issue.new'], kinds: ['browser'] }, {}, false],
])('a filter that allows %s: %j of %j is %s', (_, filter, alert, expected) => {
  expect(allows({ ...EVERY_ALERT, ...filter }, { ...ALERT, ...alert })).toBe(expected);
});
