/** Prints no warning that begins with this text. Returns a function that ends this. */
export function muteWarnings(start: string): () => void {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).startsWith(start)) warn(...words);
  };
  return () => {
    console.warn = warn;
  };
}
