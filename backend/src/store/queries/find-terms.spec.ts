import { readTerms } from './find-terms.ts';

const LONG = 'x'.repeat(200);
const TEN = 'abcdefghij'.split('');

describe('readTerms', () => {
  it('has ten texts at most, and each once', () => {
    const { texts, withoutTexts } = readTerms(`${TEN.join(' ')} A j eleventh -another`, 0);

    expect([texts, withoutTexts]).toEqual([TEN, []]);
  });

  it('counts the texts that must not match among the ten', () => {
    const { texts, withoutTexts } = readTerms(`-another ${TEN.join(' ')} -eleventh`, 0);

    expect([texts, withoutTexts]).toEqual([TEN.slice(0, 9), ['another']]);
  });

  it('compares 200 characters of a text', () => {
    expect(readTerms(`${LONG}y`, 0).texts).toEqual([LONG]);
  });

  it('has ten fields, and finds nothing by an eleventh one', () => {
    const ten = 'level:fatal '.repeat(9) + '-level:error';

    const [within, beyond] = [ten, `${ten} level:fatal`].map((query) => readTerms(query, 0));

    expect([within?.states.length, within?.facts]).toEqual([10, []]);
    expect([beyond?.states.length, beyond?.facts]).toEqual([10, [[]]]);
  });
});
