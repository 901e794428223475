import type { HttpExchange } from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import type { Redactor } from "../../base/http/redact.ts";
import type { Request, Response } from "../../base/http/send.ts";
import { redactedText } from "../../base/secrets/index.ts";

/** Records a request as it was sent and its answer, both without secrets. */
export function exchangeOf(
  { origin, search }: Pick<Address, "origin" | "search">,
  { method, path, headers, body }: Request,
  response: Response,
  hide: Redactor,
): HttpExchange {
  return {
    request: {
      method,
      url: `${origin}${hide.text(withoutValues(path, search))}`,
      headers: hide.headers(headers),
      body: hide.body(typeof body === "string" ? body : Buffer.from(body ?? "").toString("utf8")),
    },
    response: { ...response, headers: hide.headers(response.headers), body: hide.body(response.body) },
  };
}

/** Removes the values from the query of the server's address, which precedes the query of the request. Any of them may be a key, however short. */
function withoutValues(path: string, search: string): string {
  if (search === "") return path;
  const shownSearch = search
    .slice(1)
    .split("&")
    .map((pair) => (pair.includes("=") ? `${pair.split("=")[0]}=${redactedText}` : redactedText));
  return path.replace(search, () => `?${shownSearch.join("&")}`);
}
