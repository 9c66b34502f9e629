import { subjectFault } from './check-commits.ts';

describe('subjectFault', () => {
  it.each(['fix(spool): keep the envelope when the disk is full', `fix: ${'x'.repeat(67)}`])(
    'accepts "%s"',
    (subject) => expect(subjectFault(subject)).toBeNull(),
  );

  it.each([
    [`fix: ${'x'.repeat(68)}`, '73 characters, the limit is 72'],
    ['Fix the spool', 'expected `type(area): subject` or `type: subject`'],
    ['fix:no space', 'expected `type(area): subject` or `type: subject`'],
    ['fix(Spool): upper case', 'expected `type(area): subject` or `type: subject`'],
  ])('rejects "%s"', (subject, fault) => expect(subjectFault(subject)).toBe(fault));
});
