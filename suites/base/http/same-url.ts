/** Whether two URLs are equivalent by RFC 3986, 6.2.2 and 6.2.3: letter case, needless percent-encoding, dot segments and the default port do not count. */
export function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  return normalizeUrl(one) === normalizeUrl(other);
}

/** A WHATWG URL already has no dot segments or default port, and its scheme and host are in lower case. */
function normalizeUrl(text: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(text);
  return JSON.stringify([protocol, username, password, host, decodePart(pathname), decodePart(search)]);
}

/** Decodes percent-encoding of unreserved characters, and writes all other percent-encoding in upper case. */
function decodePart(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });
}
