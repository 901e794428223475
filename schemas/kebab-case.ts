/** Lower-case words with hyphens between them, beginning with a letter; empty when nothing is left. */
export function kebab(text: string, also = ""): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/\.+/g, also === "." ? "." : "-")
    .replace(/[-.]*\.[-.]*/g, ".")
    .replace(/^[^a-z]+|[^a-z0-9]+$/g, "");
}
