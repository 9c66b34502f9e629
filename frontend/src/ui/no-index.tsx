/** For a page that is not there although its address is a known route; React moves it into the head. */
export function NoIndex() {
  return <meta name="robots" content="noindex" />;
}
