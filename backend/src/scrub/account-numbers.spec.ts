import fc from 'fast-check';
import { isCardNumber, scrubAccountNumbers } from './account-numbers.ts';

describe('scrubAccountNumbers', () => {
  /** The test numbers of the card schemes; they belong to no account. */
  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4222222222222',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '30569309025904',
    '3530111333300000',
    '6011111111111117',
  ])('removes the card number %s', (card) => {
    expect(scrubAccountNumbers(`card ${card}, please`)).toBe('card [Filtered], please');
  });

  it('finds a card between other groups of digits', () => {
    expect(scrubAccountNumbers('2024 4111 1111 1111 1111 12 30')).toBe('2024 [Filtered] 12 30');
  });

  it.each([
    '4111111111111112',
    '1735689600123',
    '1735689600123456789',
    'order 1111 1111 1111 1117',
    '41111111-1111-4111-8111-111111111111',
    'a4111111111111111b',
    '0.4111111111111111',
    '41111111111111111111',
  ])('keeps %s, which is no card', (text) => {
    expect(scrubAccountNumbers(text)).toBe(text);
  });

  it.each(['DE89370400440532013000', 'GB29 NWBK 6016 1331 9268 19', 'NO93 8601 1117 947'])(
    'removes the IBAN %s',
    (iban) => {
      expect(scrubAccountNumbers(`from ${iban}.`)).toBe('from [Filtered].');
    },
  );

  it('keeps a text in the form of an IBAN with wrong check digits', () => {
    expect(scrubAccountNumbers('DE88370400440532013000')).toBe('DE88370400440532013000');
  });

  it('removes a US social security number', () => {
    expect(scrubAccountNumbers('ssn 078-05-1120')).toBe('ssn [Filtered]');
  });

  it('removes every valid card number, grouped or not', () => {
    const card = fc
      .string({ unit: fc.constantFrom(...'0123456789'), minLength: 14, maxLength: 14 })
      .map(
        (digits) =>
          ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
            .map((check) => `4${digits}${check}`)
            .find(isCardNumber) ?? '',
      );
    const grouping = fc.constantFrom('', ' ', '-');

    fc.assert(
      fc.property(card, grouping, (digits, gap) => {
        const written = digits.replace(/(.{4})(?=.)/g, `$1${gap}`);

        expect(scrubAccountNumbers(`x ${written} y`)).toBe('x [Filtered] y');
      }),
    );
  });
});
