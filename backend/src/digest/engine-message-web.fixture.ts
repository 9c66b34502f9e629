import type { EngineRow, Message } from './engine-message-language.fixture.ts';

const typeError = (text: string): Message => ['TypeError', text];
const rangeError = (text: string): Message => ['RangeError', text];
const syntaxError = (text: string): Message => ['SyntaxError', text];
const gecko = (problem: string): Message =>
  syntaxError(`JSON.parse: ${problem} at line 1 column 7 of the JSON data`);
const jsc = (problem: string): Message => syntaxError(`JSON Parse error: ${problem}`);

/** Requests, scripts, JSON and DOMExceptions. */
export const WEB_MESSAGES: readonly EngineRow[] = [
  [
    'fetch',
    '7CDK-X5QW',
    [typeError('Failed to fetch'), typeError('Failed to fetch (api.shop.example)')],
    [
      typeError('NetworkError when attempting to fetch resource.'),
      typeError('Window.fetch: NetworkError when attempting to fetch resource.'),
    ],
    [
      typeError('Load failed'),
      typeError('Load failed (api.shop.example)'),
      typeError('The network connection was lost.'),
    ],
  ],
  [
    'import of a lost chunk',
    'SS1N-PHTJ',
    [typeError('Failed to fetch dynamically imported module: https://shop.example/assets/a-AbCd1234.js')],
    [
      typeError('error loading dynamically imported module: https://shop.example/assets/a-AbCd1234.js'),
      typeError('error loading dynamically imported module'),
    ],
    [
      typeError('Importing a module script failed.'),
      typeError("'text/html' is not a valid JavaScript MIME type."),
    ],
  ],
  [
    'a page in place of a script',
    'DVGW-AKGN',
    [syntaxError("Unexpected token '<'")],
    [syntaxError("expected expression, got '<'")],
    [syntaxError("Unexpected token '<'")],
  ],
  [
    'an invalid URL',
    'W2V0-YHP2',
    [typeError('Invalid URL'), typeError("Failed to construct 'URL': Invalid URL")],
    [typeError('URL constructor: /orders is not a valid URL.')],
    [typeError('Invalid URL'), typeError('"/orders" cannot be parsed as a URL.')],
  ],
  [
    'JSON.parse of a page',
    '3KC7-CR70',
    [
      syntaxError(`Unexpected token '<', "<!doctype "... is not valid JSON`),
      syntaxError(`Unexpected token '<', "<p>\n</p>" is not valid JSON`),
      syntaxError('Unexpected token < in JSON at position 0'),
      syntaxError(`Unexpected token 'I', "Internal S"... is not valid JSON`),
      syntaxError('"undefined" is not valid JSON'),
    ],
    [gecko('unexpected character')],
    [
      jsc("Unrecognized token '<'"),
      jsc('Unexpected identifier "Internal"'),
      jsc('Unexpected identifier "undefined"'),
    ],
  ],
  [
    'JSON.parse of nothing',
    'FP9J-CYMM',
    [syntaxError('Unexpected end of JSON input')],
    [gecko('unexpected end of data')],
    [jsc('Unexpected EOF')],
  ],
  [
    'JSON.parse of a cut object',
    'BXJW-ABJW',
    [
      syntaxError("Expected ',' or '}' after property value in JSON at position 6 (line 1 column 7)"),
      syntaxError("Expected ',' or '}' after property value in JSON at position 6"),
    ],
    [
      gecko("expected ',' or '}' after property value in object"),
      gecko('end of data after property value in object'),
    ],
    [jsc("Expected '}'")],
  ],
  [
    'JSON.parse of a cut array',
    'YJH8-JXTG',
    [
      syntaxError("Expected ',' or ']' after array element in JSON at position 2 (line 1 column 3)"),
      syntaxError("Expected ',' or ']' after array element in JSON at position 2"),
    ],
    [gecko("expected ',' or ']' after array element"), gecko("end of data when ',' or ']' was expected")],
    [jsc("Expected ']'")],
  ],
  [
    'JSON.parse of a cut string',
    '2DE7-GWRY',
    [
      syntaxError('Unterminated string in JSON at position 7 (line 1 column 8)'),
      syntaxError('Unterminated string in JSON at position 7'),
    ],
    [gecko('unterminated string'), gecko('unterminated string literal')],
    [jsc('Unterminated string')],
  ],
  [
    'JSON.parse of two values',
    'KGMH-ZBRY',
    [
      syntaxError('Unexpected non-whitespace character after JSON at position 3 (line 1 column 4)'),
      syntaxError('Unexpected non-whitespace character after JSON at position 3'),
    ],
    [gecko('unexpected non-whitespace character after JSON data')],
    [jsc('Unable to parse JSON string')],
  ],
  [
    'JSON.parse with a comma too much',
    'RRS3-8JYH',
    [
      syntaxError('Expected double-quoted property name in JSON at position 7 (line 1 column 8)'),
      syntaxError('Expected double-quoted property name in JSON at position 7'),
    ],
    [gecko('expected double-quoted property name')],
    [jsc('Property name must be a string literal')],
  ],
  [
    'a node at another place',
    'A5MN-PXEF',
    [
      [
        'NotFoundError',
        "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
      ],
    ],
    [
      ['NotFoundError', 'Node.removeChild: The node to be removed is not a child of this node'],
      ['NotFoundError', 'Node was not found'],
    ],
    [['NotFoundError', 'The object can not be found here.']],
  ],
  [
    'a full store',
    'N4XP-ADHQ',
    [
      [
        'QuotaExceededError',
        "Failed to execute 'setItem' on 'Storage': Setting the value of 'cart' exceeded the quota.",
      ],
    ],
    [['QuotaExceededError', 'The quota has been exceeded.']],
    [['QuotaExceededError', 'The quota has been exceeded.']],
  ],
  [
    'a store that is closed to the page',
    'DHSM-Q8GH',
    [
      [
        'SecurityError',
        "Failed to read the 'localStorage' property from 'Window': Access is denied for this document.",
      ],
    ],
    [['SecurityError', 'The operation is insecure.']],
    [['SecurityError', 'The operation is insecure.']],
  ],
  [
    'an invalid selector',
    'QZNW-595X',
    [syntaxError("Failed to execute 'querySelector' on 'Document': '##' is not a valid selector.")],
    [
      syntaxError("Document.querySelector: '##' is not a valid selector"),
      syntaxError('An invalid or illegal string was specified'),
    ],
    [syntaxError('The string did not match the expected pattern.')],
  ],
  [
    'an aborted request',
    'C950-7P4A',
    [
      ['AbortError', 'signal is aborted without reason'],
      ['AbortError', 'The user aborted a request.'],
    ],
    [['AbortError', 'The operation was aborted. ']],
    [
      ['AbortError', 'Fetch is aborted'],
      ['AbortError', 'The operation was aborted.'],
    ],
  ],
  [
    'a video that may not play',
    'CX8R-RFB1',
    [
      [
        'NotAllowedError',
        "play() failed because the user didn't interact with the document first. https://goo.gl/xX8pDD",
      ],
    ],
    [
      [
        'NotAllowedError',
        'The play method is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.',
      ],
    ],
    [
      [
        'NotAllowedError',
        'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.',
      ],
    ],
  ],
  [
    'an unknown time zone',
    'XJGA-RKJ7',
    [
      rangeError('Invalid time zone specified: Mars/Olympus'),
      rangeError('Invalid time zone specified: UTC+25'),
    ],
    [rangeError('invalid time zone in DateTimeFormat(): Mars/Olympus')],
    [rangeError('invalid time zone: Mars/Olympus')],
  ],
  [
    'an unknown language',
    'TR06-JQMM',
    [rangeError('Incorrect locale information provided'), rangeError('Invalid language tag: en_US')],
    [rangeError('invalid language tag: "en_US"')],
    [rangeError('invalid language tag: en_US')],
  ],
  [
    'an unknown currency',
    '3R4G-JGS8',
    [rangeError('Invalid currency code : x')],
    [rangeError('invalid currency code in NumberFormat(): x')],
    [rangeError('currency is not a well-formed currency code')],
  ],
];
