import { Parser } from 'htmlparser2';

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

/** Types of scripts that a policy governs; all others are data. */
const SCRIPT_TYPE =
  /^(|module|importmap|speculationrules|(text|application)\/(x-)?(java|ecma|j|live)script)$/i;

/**
 * Scans an HTML file for inline code. A file that is not well formed may leave code without a hash, which browsers then
 * report.
 */
export function scanHtml(html: string): ScannedHtml {
  const scripts: string[] = [];
  const handlers: string[] = [];
  const styles: string[] = [];
  const styleAttributes: string[] = [];
  let headStart = html.startsWith('\ufeff') ? 1 : 0;
  /** Where the code of the open element goes; undefined outside of code. */
  let codes: string[] | undefined;
  let text = '';
  const parser = new Parser({
    onprocessinginstruction: (name) => {
      if (name === '!doctype') headStart = parser.endIndex + 1;
    },
    onopentag: (name, attributes) => {
      if (name === 'html' || name === 'head') headStart = parser.endIndex + 1;
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute === 'style') styleAttributes.push(normalized(value));
        else if (attribute.startsWith('on')) handlers.push(normalized(value));
      }
      if (name === 'style') codes = styles;
      else codes = name === 'script' && isInlineCode(attributes) ? scripts : undefined;
      text = '';
    },
    ontext: (part) => {
      text += part;
    },
    onclosetag: () => {
      codes?.push(normalized(text));
      codes = undefined;
    },
  });
  parser.end(html);
  return { scripts, handlers, styles, styleAttributes, headStart };
}

function isInlineCode({ src, type = '' }: Readonly<Record<string, string>>): boolean {
  return src === undefined && SCRIPT_TYPE.test(type.trim());
}

/** Returns the text as the document has it: a parser makes every line break one symbol. */
function normalized(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
