const CUT = '…';

/** Truncates a text to `maxLength` characters and ends it with `…`. Never splits a character or a `[Filtered]`. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, maxLength - CUT.length).replace(/[\uD800-\uDBFF]$/, '');
  return head.replace(/\[F?i?l?t?e?r?e?d?$/, '') + CUT;
}

/** Removes the last `margin` characters of a truncated text: a secret may start there whose end is missing. */
export function cutMargin(text: string, margin: number): string {
  return text.slice(0, -margin) + CUT;
}
