/** A rem by default: the application may have set another one, such as 62.5 %, on its `<html>`. */
const REM_PX = 16;
/** Outweighs two IDs, as in `#app #root h1`. */
const WEIGHT = ':not(#_#_)';

/**
 * Returns the style of the error pages for a document of others. Colours and sizes, in Errata's own pages those of the whole
 * document, apply to the page only; it inherits nothing, and rules for elements or for the application's root do not reach it.
 *
 * @param classes of the page's style sheet, by their names there.
 */
export function hostedStyle(
  tokensCss: string,
  pageCss: string,
  classes: Readonly<Record<string, string>>,
): string {
  const page = `.${classes['page'] ?? ''}`;
  const reset = `${page} { all: initial; } ${page}::before, ${page}::after, ${page} *, ${page} *::before, ${page} *::after { all: revert; }`;
  const tokens = tokensCss.replaceAll(/(?::root|body)\s*\{/g, `${page} {`);
  const css = [reset, tokens, pageCss].join('\n');
  return Object.values(classes)
    .reduce((text, name) => text.replaceAll(`.${name}`, `.${name}${WEIGHT}`), css)
    .replaceAll(/(\d*\.?\d+)rem\b/g, (_, rem: string) => `${Number(rem) * REM_PX}px`);
}
