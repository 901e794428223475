import type { Observation } from "../../../schemas/index.ts";
import { skipByStatus } from "../../base/text/skips.ts";
import { readRefusal } from "./answer.ts";
import type { Read } from "./http-exchange.ts";

/** Reads a redirect that the description names; undefined for any other answer. */
export function readRedirect(exchange: Read): Observation | undefined {
  const { route, response } = exchange;
  const { status, headers, body } = response;
  if (route.described === undefined || status < 300 || status >= 400 || route.accepted?.includes(status) !== true)
    return undefined;
  if (namesError(headers.location ?? "")) return readRefusal({ ...exchange, isSealed: false });
  return {
    kind: "remembered",
    ...skipByStatus(status, "this redirect may be the refusal as well as the acceptance", body),
  };
}

/** Whether the query or the fragment of an address contains the OAuth parameter `error`. */
function namesError(location: string): boolean {
  if (!URL.canParse(location, "http://localhost")) return false;
  const { searchParams, hash } = new URL(location, "http://localhost");
  return searchParams.has("error") || new URLSearchParams(hash.slice(1)).has("error");
}
