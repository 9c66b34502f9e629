/** Code inside an HTML file that a policy must allow by its hash, and the place for the settings. */
export interface ScannedHtml {
  readonly scripts: readonly string[];
  /** Values of attributes such as `onclick`. */
  readonly handlers: readonly string[];
  readonly styles: readonly string[];
  /** Values of `style` attributes. */
  readonly styleAttributes: readonly string[];
  /** Offset of the first child of `<head>`. */
  readonly headStart: number;
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

const COMMENT = '<!--';
const COMMENT_END = '-->';
const DOCTYPE = /<!doctype[^>]*>/iy;
const TAG_NAME = /<([a-z][^\s/>]*)/iy;
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const TAG_END = /[\s/]*>/y;
/** Elements whose content is text up to their end tag. */
const RAW_TEXT = /^(script|style|textarea|title|xmp|iframe|noembed|noframes)$/;
/** Types of scripts that a policy governs; all others are data. */
const SCRIPT_TYPE =
  /^(|module|importmap|speculationrules|(text|application)\/(x-)?(java|ecma|j|live)script)$/i;
/** The references that programs write into attributes; any other one leaves a hash that does not match. */
const REFERENCE = /&(?:#(\d+)|#x([\da-f]+)|(amp|quot|apos|lt|gt|nbsp));/gi;
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
};

/**
 * Scans an HTML file for inline code, at some 25 MB/s: a static export has thousands of pages, and a full parser takes six
 * times as long. A file that is not well formed may leave code without a hash, which browsers then report.
 */
export function scanHtml(html: string): ScannedHtml {
  const [scripts, handlers, styles, styleAttributes]: [string[], string[], string[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  let headStart = html.startsWith('\ufeff') ? 1 : 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    const doctype = matchAt(DOCTYPE, html, at);
    if (doctype !== null) headStart = at + doctype[0].length;
    const tag = tagAt(html, at);
    let end = tag?.end ?? at + 1;
    if (html.startsWith(COMMENT, at)) end = endOf(html, COMMENT_END, at + 2);
    if (tag !== undefined) {
      const { name, attributes } = tag;
      if (name === 'html' || name === 'head') headStart = end;
      for (const [attribute, value] of attributes) {
        if (attribute === 'style') styleAttributes.push(value);
        else if (attribute.startsWith('on')) handlers.push(value);
      }
      if (RAW_TEXT.test(name)) {
        const text = rawText(html, end, name);
        if (name === 'style') styles.push(normalized(text));
        if (name === 'script' && isInlineCode(attributes)) scripts.push(normalized(text));
        end += text.length;
      }
    }
    at = html.indexOf('<', end);
  }
  return { scripts, handlers, styles, styleAttributes, headStart };
}

function tagAt(html: string, start: number): Tag | undefined {
  const opened = matchAt(TAG_NAME, html, start);
  if (opened === null) return undefined;
  const attributes = new Map<string, string>();
  let at = start + opened[0].length;
  for (;;) {
    const closed = matchAt(TAG_END, html, at);
    if (closed !== null)
      return { name: (opened[1] ?? '').toLowerCase(), attributes, end: at + closed[0].length };
    const found = matchAt(ATTRIBUTE, html, at);
    // The text ends inside the tag: nothing after its start is an element.
    if (found === null) return { name: '', attributes: new Map(), end: html.length };
    const [whole, name = '', doubleQuoted, singleQuoted, bare] = found;
    const value = doubleQuoted ?? singleQuoted ?? bare ?? '';
    // Browsers take the first of several attributes with one name.
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), decoded(value));
    at += whole.length;
  }
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

function endOf(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function rawText(html: string, start: number, name: string): string {
  const endTag = new RegExp(`</${name}[\\s/>]`, 'gi');
  endTag.lastIndex = start;
  return html.slice(start, endTag.exec(html)?.index ?? html.length);
}

function isInlineCode(attributes: ReadonlyMap<string, string>): boolean {
  return !attributes.has('src') && SCRIPT_TYPE.test((attributes.get('type') ?? '').trim());
}

/** Returns the text as the document has it: a parser makes every line break one symbol. */
function normalized(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function decoded(value: string): string {
  return normalized(value).replace(REFERENCE, (_, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? '';
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd';
  });
}
