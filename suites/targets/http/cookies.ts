type RequestHeaders = Readonly<Record<string, string>>;

/** Names the parts of a request that are given by headers, or by the query of the address: headers in lower case, cookies after `cookie `, and query parameters after `query `. */
export function givenNames(headers: RequestHeaders, search = ""): Set<string> {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const cookies = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === "cookie" ? cookiesIn(value) : [],
  );
  const query = [...new URLSearchParams(search).keys()].map((name) => `query ${name}`);
  return new Set([...names, ...cookies.map((cookie) => `cookie ${cookieName(cookie)}`), ...query]);
}

/** Merges the headers of parameters with given ones, which win; all cookies go into one header (RFC 6265, 5.4). */
export function withGiven(parameters: RequestHeaders, given: RequestHeaders): Record<string, string> {
  const merged = { ...parameters, ...given };
  if (given.cookie === undefined || parameters.cookie === undefined) return merged;
  const names = new Set(cookiesIn(given.cookie).map(cookieName));
  const otherCookies = cookiesIn(parameters.cookie).filter((cookie) => !names.has(cookieName(cookie)));
  return { ...merged, cookie: [given.cookie, ...otherCookies].join("; ") };
}

/** Removes the given cookies from a cookie header; undefined if none is left. */
export function withoutCookies(header: string, given: string): string | undefined {
  const givenCookies = new Set(cookiesIn(given));
  return (
    cookiesIn(header)
      .filter((cookie) => !givenCookies.has(cookie))
      .join("; ") || undefined
  );
}

function cookiesIn(header: string): string[] {
  return header.split(/;\s*/).filter((cookie) => cookie !== "");
}

function cookieName(cookie: string): string {
  return cookie.split("=", 1)[0]?.trim() ?? "";
}
