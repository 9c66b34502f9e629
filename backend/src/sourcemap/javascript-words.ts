/** The words that say what a bracket or a slash behind them is. */

/** Words whose parenthesis is no call and no method. */
export const CONTROL = wordSet('if for while switch with catch');
/** Words after which a value begins, so that a slash begins a regular expression. */
export const BEFORE_VALUE = wordSet(
  'return typeof instanceof in of new delete void throw case do else yield await extends default',
);
/** Words that begin a statement: without semicolons they are what ends a braceless arrow function. */
export const STATEMENT = wordSet(
  'const let var return if for while switch throw try import export break continue do',
);
/** Words that may stand between a name and its function: `name = async (…) =>`. */
export const TRANSPARENT = wordSet('async new await');
/** Words whose brace is a block. */
export const BEFORE_BLOCK = wordSet('else do try finally catch static');

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
