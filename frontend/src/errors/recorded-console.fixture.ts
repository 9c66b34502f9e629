/** The browser's console, kept instead of printed: every call as the list of its words. */
export function recordConsole(): readonly (readonly unknown[])[] {
  const printed: unknown[][] = [];
  console.error = (...words: unknown[]) => {
    printed.push(words);
  };
  return printed;
}
