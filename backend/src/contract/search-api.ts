/** Words of a text that find cannot use. */
export interface UnknownWords {
  /** Those that look like filters or operators, are unknown, and were read as text. Among events also words and the fields of issues: they are not searched. */
  readonly unknown: readonly string[];
  /** The known filters at most two edits from an unknown one: `release:` for `relaese:`. */
  readonly nearest: readonly NearestWord[];
  /** Filters without a value: they find nothing. */
  readonly empty: readonly string[];
  /** Filters with a value that they cannot have, such as `level:high`: they find nothing. */
  readonly badValues: readonly BadValue[];
  /** The words that find understands. */
  readonly known: readonly string[];
}

export interface NearestWord {
  readonly unknown: string;
  readonly known: string;
}

export interface BadValue {
  readonly term: string;
  /** Values that it can have, in words. */
  readonly expected: string;
}
