const CUT = '…';

/** The beginning of a text, with the mark of a cut: never through the middle of a `[Filtered]` or of a character. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, maxLength - CUT.length).replace(/[\uD800-\uDBFF]$/, '');
  return head.replace(/\[F?i?l?t?e?r?e?d?$/, '') + CUT;
}

/** The text without the end that is not looked at: a secret may begin there and be cut off. */
export function cutMargin(text: string, margin: number): string {
  return text.slice(0, -margin) + CUT;
}
