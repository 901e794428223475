/** Converts a string to lower-case words with hyphens between them, beginning with a letter; empty if it has no such words. */
export function kebab(text: string, { keepDots = false }: { keepDots?: boolean } = {}): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/\.+/g, keepDots ? "." : "-")
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/[-.]*\.[-.]*/g, ".")
    .replace(/^[^a-z]+|[^a-z0-9]+$/g, "");
}

/** Like `kebab`, but does not split words in capitals: `H2OError` becomes `h2o-error`, `JSONRPCError` becomes `jsonrpc-error`. */
export function kebabWithCapitals(text: string, options: { keepDots?: boolean } = {}): string {
  const separated = text.replace(/([A-Z]+[0-9]*[A-Z]+)([A-Z][a-z]{2,})/g, "$1-$2");
  return kebab(
    separated.replace(/[A-Z]+[0-9]+[A-Z]+(?![a-z])/g, (word) => word.toLowerCase()),
    options,
  );
}
