/** Lower-case words with hyphens between them, beginning with a letter; empty when nothing is left. */
export function kebab(text: string, also = ""): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/\.+/g, also === "." ? "." : "-")
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/[-.]*\.[-.]*/g, ".")
    .replace(/^[^a-z]+|[^a-z0-9]+$/g, "");
}

/** The same for a text with words in capitals, which stay whole: `H2OError` gives `h2o-error`, `JSONRPCError` gives `jsonrpc-error`. */
export function kebabWithCapitals(text: string, also = ""): string {
  const apart = text.replace(/([A-Z]+[0-9]*[A-Z]+)([A-Z][a-z]{2,})/g, "$1-$2");
  return kebab(
    apart.replace(/[A-Z]+[0-9]+[A-Z]+(?![a-z])/g, (word) => word.toLowerCase()),
    also,
  );
}
