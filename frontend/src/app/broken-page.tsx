interface Cart {
  readonly items: readonly string[];
}

/** A page with a bug of the commonest kind: it trusts that something is there. */
function findCart(): Cart | undefined {
  return undefined;
}

/** The demo's failure in the browser: throws while rendering. */
export function BrokenPage() {
  const cart = findCart() as Cart;
  return <p>{cart.items.length} items in the cart</p>;
}
