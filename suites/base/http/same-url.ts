/** Whether two URLs name the same by RFC 3986, 6.2.2 and 6.2.3: letter case, needless percent-encoding, dot segments and the default port aside. */
export function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  return normalizeUrl(one) === normalizeUrl(other);
}

/** A WHATWG URL is already without dot segments and default port, with scheme and host in lower case. */
function normalizeUrl(text: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(text);
  return JSON.stringify([protocol, username, password, host, decodePart(pathname), decodePart(search)]);
}

/** Percent-encoding of unreserved characters is decoded; all other is in upper case. */
function decodePart(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const sign = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : octet.toUpperCase();
  });
}
