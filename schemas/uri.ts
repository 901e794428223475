/** Encodes every character that a URI (RFC 3986) cannot contain, except letters in the host and the `#` before the fragment. */
export function asUri(text: string): string {
  const [host = ""] = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(text) ?? [];
  const [before = "", ...fragment] = text.slice(host.length).split("#");
  return (
    encodeHost(host) + [before, ...(fragment.length === 0 ? [] : [fragment.join("%23")])].map(encodePart).join("#")
  );
}

/** A host may have letters of any script, but not the braces of a template such as `https://{host}/`. */
function encodeHost(host: string): string {
  return host.replace(/[\s"<>\\^`{|}]/g, encodeURIComponent);
}

function encodePart(part: string): string {
  return part.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu, encodeURIComponent);
}
