/**
 * Returns the label of a code; undefined for an unknown one. Only own keys count: codes come from clients and servers, and
 * one may be `constructor`.
 */
export function ownLabel(labels: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(labels, code) ? labels[code] : undefined;
}
