import { categoryLabel, className, sinkName } from './delivery-labels.ts';

it('names classes and categories, and unknown ones by their code', () => {
  expect([className(0), className(9), ...['log_item', 'all', 'new_kind'].map(categoryLabel)]).toEqual([
    'Errors and feedback',
    'Class 9',
    'logs',
    'items',
    'new kind',
  ]);
});

it.each([
  ['store', 'Local store', null],
  ['upstream sentry.example:8443/42 0123abcd', 'sentry.example:8443/42', '0123abcd'],
  ['upstream sentry.example/42 0123abcd', 'sentry.example/42', '0123abcd'],
  ['another kind', 'another kind', null],
])('takes the name of the sink %j apart', (name, place, key) => {
  expect(sinkName(name)).toEqual({ place, key });
});
