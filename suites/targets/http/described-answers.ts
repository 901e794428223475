import {
  declinedOf,
  type Endpoint,
  type Observation,
  type Skip,
  TargetFailure,
  unavailableOf,
} from "../../../schemas/index.ts";
import type { Response } from "../../base/http/send.ts";
import { skipByStatus, skipNotServed } from "../../base/text/skips.ts";
import { meetsCondition } from "./answer.ts";
import type { Read } from "./http-exchange.ts";

/** Statuses about the resources of the server: their meaning for the document is unknown. */
export const resourceStatuses: ReadonlySet<number> = new Set([404, 409, 410, 412, 413, 414, 423, 424, 428, 431, 451]);

/** Returns the result of an answer of a described interface if the answer says nothing about the document: the server refuses for a cause other than the document's form, which is not a fault of the server. Undefined for every other answer. */
export function unrelatedAnswer({
  response: { status, body },
  route,
  body: value,
  refuses,
  absent = "nothing is there",
  elsewhere,
  areGiven = false,
}: Pick<Read, "response" | "route" | "body" | "refuses" | "absent" | "elsewhere" | "areGiven">):
  | Observation
  | undefined {
  const { described } = route;
  if (described === undefined || status < 400 || status >= 500) return undefined;
  if (refuses.some((refuse) => meetsCondition(refuse, status, value))) return undefined;
  if (status === 401 || status === 403) {
    const reason = areGiven
      ? describeRefusedCredentials(described.credentials)
      : describeLackingCredentials(described.credentials);
    const { why } = skipByStatus(status, reason, body);
    return unavailableOf(new TargetFailure("errored", "access", why, { because: { kind: "access", status } }));
  }
  const isDocumented = described.answers.some((answer) => coversStatus(answer.status, status));
  if (status === 404 && !isDocumented && !hasPathParameters(route)) return possibleRefusal(body, absent);
  if (!isDocumented && !resourceStatuses.has(status)) return undefined;
  const { why, cause } = skipFor({ status, body }, route, elsewhere);
  // The answer for an unknown name is the same whether the document was read or not.
  const isLookedUp = status === 404 && hasPathParameters(route);
  return isLookedUp ? declinedOf(why, cause) : { kind: "about-state", status, why, cause };
}

/** Reads a 404 for a path without parameters. Such a path either exists or does not: if valid requests are accepted, 404 may be the answer to an invalid value (as JAX-RS 3.2 demands for query parameters), or mean something else. */
function possibleRefusal(body: string, absent: string): Observation {
  const reason =
    "this may be the refusal, or mean that something does not exist; if it is the refusal, say so in the configuration (refusedWhen: { status: [404] }) or in the description of the status";
  const { why, cause: because } = skipByStatus(404, absent, body);
  const unless = unavailableOf(new TargetFailure("errored", "answer", why, { because }));
  return { kind: "about-state", status: 404, ...skipByStatus(404, reason, body), unless };
}

/** Whether the path of an endpoint has a part that names a resource. */
function hasPathParameters({ path, parameters = [] }: Endpoint): boolean {
  return path.includes("{") || parameters.some((parameter) => parameter.in === "path");
}

/** Whether a documented status (`404`, `4XX`, `default`) covers this one. */
export function coversStatus(documented: string, status: number): boolean {
  return documented === String(status) || documented === `${Math.floor(status / 100)}XX` || documented === "default";
}

function describeLackingCredentials(credentials: readonly string[]): string {
  if (credentials.length === 0) return "the document names no credentials that would be lacking";
  return `give credentials: ${credentials.join(" and ")}`;
}

/** Names the credentials, without the way to give them. */
function describeRefusedCredentials(credentials: readonly string[]): string {
  const names = credentials.map((credential) => credential.split(": ")[0]);
  return `the credentials that were given are refused; the document demands ${names.join(" and ")}`;
}

/** Advice for 409: without fresh values, only the first valid message of an operation tests anything. */
const freshAdvice =
  "if a member may be sent only once, such as an id, make a pack (touchstone generate FILE --out FOLDER), name the member under fresh in its profile.json, and run the pack";

function skipFor(
  { status, body }: Pick<Response, "status" | "body">,
  { path }: Endpoint,
  elsewhere: string | undefined,
): Skip {
  if (status === 404 && path.includes("{"))
    return skipNotServed(
      status,
      `${elsewhere === undefined ? "" : `${elsewhere}; or `}add an \`example\` of an existing resource for ${path} to the document, or pass a path with --endpoint; if there is one, this run or an earlier one may have deleted that resource: restart the server with fresh data`,
      body,
    );
  const why = "it is refused because of the server's data or conditions, which says nothing about its form";
  if (status === 404 && elsewhere !== undefined)
    return skipByStatus(status, `${why}; if nothing is there at all, ${elsewhere}`, body);
  return skipByStatus(status, status === 409 ? `${why}; ${freshAdvice}` : why, body);
}
