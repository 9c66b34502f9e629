/** Finds lines of a text without cutting it up. Lines and columns count from 0. */
export class LineIndex {
  readonly text: string;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
  }

  /** Undefined behind the last line. A line's end may be `\n` or `\r\n`; neither belongs to it. */
  line(number: number): string | undefined {
    const start = this.#starts[number];
    if (start === undefined) return undefined;
    const next = this.#starts[number + 1];
    return this.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, '');
  }

  offset(line: number, column: number): number {
    return (this.#starts[line] ?? this.text.length) + column;
  }

  position(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }
}

function lineStarts(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}
