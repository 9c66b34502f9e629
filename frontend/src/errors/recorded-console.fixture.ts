/** Records the calls of console.error instead of printing them. */
export function recordConsole(): readonly (readonly unknown[])[] {
  const printed: unknown[][] = [];
  console.error = (...words: unknown[]) => {
    printed.push(words);
  };
  return printed;
}
