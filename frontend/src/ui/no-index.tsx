/** Sets noindex for a missing page at a known route; React moves it into the head. */
export function NoIndex() {
  return <meta name="robots" content="noindex" />;
}
