import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The facts about a request before it is handled. */
export interface PageRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/**
 * Returns the rest of a path after the secret token, or the status with which a request is refused.
 * A page from a different origin cannot know the token. Even if the token leaks, the Host and Origin headers still protect the page: 421 for a foreign host, such as a name that an attacker resolves to this machine; 403 for a request from a different origin; 404 without the token.
 */
export function admitRequest(
  { method, path, headers }: PageRequest,
  token: string,
  port: number,
): string | 403 | 404 | 421 {
  const { host, origin } = headers;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) return 421;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return 403;
  // A request that changes something must come from a page that names its origin.
  if (method !== "GET" && origin === undefined) return 403;
  const [, requestToken = "", ...subpath] = path.split("/");
  return subpath.length > 0 && hasSameDigest(requestToken, token) ? subpath.join("/") : 404;
}

/** Compares in constant time, so that the time does not reveal how many characters are equal. */
function hasSameDigest(first: string, second: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(first), digest(second));
}
