import { type CredentialPlace, type Endpoint, TargetBreach } from "../../../schemas/index.ts";
import { anonymous } from "../../http/identity.ts";
import type { Request, Response } from "../../http/send.ts";
import type { AnswerJudge } from "./answered.ts";

/** Sees whether a server that wants credentials, as its description says, lets somebody in without them, or refuses them otherwise than described. */
export interface CredentialCheck {
  /** What is wrong; undefined when nothing is, nothing is said of it, no credentials were given, or it was seen before. `real` is the answer with the right ones. */
  breach(route: Endpoint, request: Request, signal: AbortSignal, real?: Response): Promise<TargetBreach | undefined>;
}

interface Given {
  /** Headers that were given for all requests, and those of the profile. */
  own: Readonly<Record<string, string>>;
  profile: Readonly<Record<string, string>>;
  /** Query of the server's address, with its question mark. */
  search: string;
  ask(request: Request, signal: AbortSignal): Promise<Response>;
  judge: AnswerJudge;
}

/** Requests about credentials are sent once an operation: those that were accepted, without the right ones. */
export function credentialCheck(given: Given): CredentialCheck {
  const seen = new Map<string, Promise<TargetBreach | undefined>>();
  const isLetIn = async (response: Response, route: Endpoint, real: Response | undefined): Promise<boolean> => {
    if (response.status < 200 || response.status >= 300) return false;
    if (real !== undefined && (real.status !== response.status || typeOf(real) !== typeOf(response))) return false;
    // A page to log in at, or an error in a body, is no answer to the request.
    const [its, right] = await Promise.all([response, real].map((each) => each && given.judge.breach(each, route)));
    return its?.rule === right?.rule;
  };
  const looked = async (
    { rule, places }: Security,
    route: Endpoint,
    request: Request,
    signal: AbortSignal,
    real: Response | undefined,
  ): Promise<TargetBreach | undefined> => {
    let refusal: TargetBreach | undefined;
    for (const { request: each, how } of withoutRight(request, route, places, given)) {
      const response = await given.ask(each, signal).catch(() => undefined);
      if (response === undefined) continue;
      const what = `${route.method} ${route.path} ${how} is answered with HTTP ${response.status}`;
      if (await isLetIn(response, route, real))
        return new TargetBreach(rule, `${what}, and the document demands ${places.map(shown).join(" or ")}${once}`);
      const wrong = response.status === 401 ? await given.judge.breach(response, route) : undefined;
      if (wrong?.level === "MUST") refusal ??= new TargetBreach(wrong.rule, `${what}: ${wrong.message}`, wrong.level);
    }
    return refusal;
  };
  return {
    async breach(route, request, signal, real) {
      const { security } = route.described ?? {};
      if (security === undefined) return undefined;
      const before = seen.get(security.rule);
      if (before !== undefined) return before;
      const now = looked(security, route, request, signal, real);
      if (real !== undefined) seen.set(security.rule, now);
      const found = await now;
      if (found !== undefined) seen.set(security.rule, now);
      return found;
    },
  };
}

/** All of them have the result, so that which was first makes no difference between two runs. */
const once = " (tried once, and counted for each accepted request of the operation)";

type Security = NonNullable<NonNullable<Endpoint["described"]>["security"]>;

/** The request without credentials, with those alone that are meant for others, and with wrong ones where right ones were given; none where that shows nothing. */
function withoutRight(
  request: Request,
  { parameters = [] }: Endpoint,
  places: readonly CredentialPlace[],
  { own, profile, search }: Given,
): { request: Request; how: string }[] {
  const given = places.filter((place) => isGiven(place, own, search));
  const isParameter = parameters.some((each) => places.some((place) => isSame(place, each)));
  if (given.length === 0 || isParameter) return [];
  const kept = Object.entries(request.headers).filter(([name]) => !isOwn(name, own, profile));
  const bare: Request = { ...request, headers: Object.fromEntries(kept), path: withoutSearch(request.path, search) };
  const named = new Set(places.map((place) => (place.in === "cookie" ? "cookie" : place.name.toLowerCase())));
  const others = Object.entries(request.headers).filter(([name]) => !named.has(name));
  const isMore = others.length > kept.length;
  const rest: Request = { ...bare, headers: Object.fromEntries(others) };
  return [
    { request: bare, how: "without credentials" },
    ...(isMore ? [{ request: rest, how: "with none but the other headers that were given" }] : []),
    { request: given.reduce(withWrong, bare), how: "with wrong credentials" },
  ];
}

/** What is said of the message itself stays. */
const always = ["accept", "content-type", "user-agent"];

function isOwn(name: string, own: Given["own"], profile: Given["profile"]): boolean {
  const isNamed = (headers: Given["own"]): boolean => Object.keys(headers).some((each) => each.toLowerCase() === name);
  return !always.includes(name) && (isNamed(own) || (isNamed(profile) && !isNamed(anonymous(profile))));
}

function isGiven({ in: where, name }: CredentialPlace, own: Given["own"], search: string): boolean {
  if (where === "query") return new URLSearchParams(search).has(name);
  const wanted = where === "cookie" ? "cookie" : name.toLowerCase();
  const [, value] = Object.entries(own).find(([each]) => each.toLowerCase() === wanted) ?? [];
  return value !== undefined && (where === "header" || value.split(/;\s*/).some((each) => each.startsWith(`${name}=`)));
}

function isSame(place: CredentialPlace, { in: where, name }: { in: string; name: string }): boolean {
  return place.in === where && place.name.toLowerCase() === name.toLowerCase();
}

/** The query of the address goes before that of the request. */
function withoutSearch(path: string, search: string): string {
  const at = path.indexOf("?");
  if (search === "" || at === -1) return path;
  const rest = path.slice(at + search.length).replace(/^&/, "");
  return rest === "" ? path.slice(0, at) : `${path.slice(0, at)}?${rest}`;
}

const wrong = "wrong-credentials-of-a-test";

function withWrong(request: Request, { in: where, name, scheme }: CredentialPlace): Request {
  const { headers, path } = request;
  if (where === "query")
    return { ...request, path: `${path}${path.includes("?") ? "&" : "?"}${encodeURIComponent(name)}=${wrong}` };
  if (where === "cookie") {
    const before = headers.cookie === undefined ? "" : `${headers.cookie}; `;
    return { ...request, headers: { ...headers, cookie: `${before}${name}=${wrong}` } };
  }
  const basic = Buffer.from(`${wrong}:${wrong}`).toString("base64");
  const value = scheme === "basic" ? `Basic ${basic}` : scheme === "bearer" ? `Bearer ${wrong}` : wrong;
  return { ...request, headers: { ...headers, [name.toLowerCase()]: value } };
}

function shown({ in: where, name, scheme }: CredentialPlace): string {
  return scheme === undefined ? `"${name}" in the ${where}` : `${scheme} credentials`;
}

function typeOf({ headers }: Response): string | undefined {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
}
