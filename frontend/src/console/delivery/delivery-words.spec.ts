import { categoryWords, className } from './delivery-words.ts';

it('names classes and categories, those it does not know by what they are called', () => {
  expect([className(0), className(9), categoryWords('log_item'), categoryWords('new_kind')]).toEqual([
    'Errors and feedback',
    'Class 9',
    'logs',
    'new kind',
  ]);
});
