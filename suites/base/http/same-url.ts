/** Whether two URLs are equivalent by RFC 3986, 6.2.2 and 6.2.3: the letter case of scheme and host, needless percent-encoding, dot segments and the default port do not matter. */
export function isSameUrl(firstUrl: string, secondUrl: string): boolean {
  if (firstUrl === secondUrl) return true;
  if (!URL.canParse(firstUrl) || !URL.canParse(secondUrl)) return false;
  return normalizeUrl(firstUrl) === normalizeUrl(secondUrl);
}

/** Normalizes a URL. A WHATWG URL already has no dot segments or default port, and its scheme and host are in lower case. */
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
