import Bowser from 'bowser';

/** A longer one is hostile: real user agents stay below 300. */
const MAX_USER_AGENT_LENGTH = 512;
/** Labels kept: reading one takes about 100 µs, and users of one application share few browsers. */
const MAX_KNOWN = 1_000;

const known = new Map<string, string | null>();

/** A user agent as people say it: `Chrome 156 on Linux`. Null for what is no browser's. */
export function browserLabel(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null;
  const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
  const label = known.get(text);
  if (label !== undefined) return label;
  if (known.size >= MAX_KNOWN) known.clear();
  const read = readLabel(text);
  known.set(text, read);
  return read;
}

function readLabel(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent);
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  if (name === '') return null;
  return os.name === undefined || os.name === '' ? name : `${name} on ${os.name}`;
}
