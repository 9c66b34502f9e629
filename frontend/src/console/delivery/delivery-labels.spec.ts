import { categoryLabel, className } from './delivery-labels.ts';

it('names classes and categories, and unknown ones by their code', () => {
  expect([className(0), className(9), ...['log_item', 'all', 'new_kind'].map(categoryLabel)]).toEqual([
    'Errors and feedback',
    'Class 9',
    'logs',
    'items',
    'new kind',
  ]);
});
