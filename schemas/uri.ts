/** The text with every character encoded that a URI (RFC 3986) cannot have as it is, but for the host and the `#` before the fragment. */
export function asUri(text: string): string {
  const [host = ""] = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(text) ?? [];
  const [before = "", ...fragment] = text.slice(host.length).split("#");
  return host + [before, ...(fragment.length === 0 ? [] : [fragment.join("%23")])].map(encoded).join("#");
}

function encoded(part: string): string {
  return part.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu, encodeURIComponent);
}
