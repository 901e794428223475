import type { CredentialPlace } from "../../../schemas/index.ts";
import { withoutCredentials } from "../../base/http/identity.ts";
import type { Request } from "../../base/http/send.ts";
import { withoutCookies } from "./cookies.ts";

/** The credentials of accepted requests. */
export interface GivenCredentials {
  /** The headers that the user configured for all requests. */
  own: Readonly<Record<string, string>>;
  profile: Readonly<Record<string, string>>;
  /** The query of the server's address, with its question mark. */
  search: string;
}

/** A request that a server has to refuse. */
export interface Unauthorized {
  request: Request;
  /** A description that continues the name of its operation. */
  how: string;
  /** Whether the request contains most of the correct credentials, so that no part of an answer may be shown. */
  isNear: boolean;
}

/** Returns the request without credentials, with only the credentials for other operations, with wrong credentials, and with credentials that begin like the correct ones. The result is empty if none of these would show anything. */
export function unauthorizedRequests(
  request: Request,
  places: readonly CredentialPlace[],
  { own, profile, search }: GivenCredentials,
  choices: readonly (readonly CredentialPlace[])[] = [],
): Unauthorized[] {
  const givenPlaces = places.flatMap((place) => {
    const value = valueIn(place, own, search);
    return value === undefined ? [] : [{ place, value }];
  });
  if (givenPlaces.length === 0) return [];
  const cookies = Object.entries(own).find(([name]) => name.toLowerCase() === "cookie")?.[1];
  // Headers and cookies of parameters stay.
  const keptHeaders = Object.entries(request.headers).flatMap(([name, value]): [string, string][] => {
    const otherValue = isOwn(name, own, profile) ? undefined : value;
    const cookie = name === "cookie" && cookies !== undefined ? withoutCookies(value, cookies) : otherValue;
    return cookie === undefined ? [] : [[name, cookie]];
  });
  const bareRequest: Request = {
    ...request,
    headers: Object.fromEntries(keptHeaders),
    path: withoutSearch(request.path, search),
  };
  const credentialNames = new Set(places.map((place) => (place.in === "cookie" ? "cookie" : place.name.toLowerCase())));
  const otherHeaders = Object.entries(request.headers).filter(([name]) => !credentialNames.has(name));
  const hasOthers = otherHeaders.some(([name]) => bareRequest.headers[name] === undefined);
  const withOthers: Request = {
    ...bareRequest,
    headers: { ...bareRequest.headers, ...Object.fromEntries(otherHeaders) },
  };
  const replaceAll = (spoil: (right: string, scheme: string | undefined) => string): Request =>
    givenPlaces.reduce(
      (request, { place, value }) => withValue(request, place, spoil(value, place.scheme)),
      bareRequest,
    );
  const isComparable = givenPlaces.every(({ place, value }) => isOpaque(place, value));
  return [
    { request: bareRequest, how: "without credentials", isNear: false },
    ...(hasOthers
      ? [{ request: withOthers, how: "with none but the other headers that were given", isNear: false }]
      : []),
    {
      request: replaceAll((_, scheme) => (scheme === "basic" ? wrongLogin : wrongCredential)),
      how: "with wrong credentials",
      isNear: false,
    },
    {
      request: replaceAll((_, scheme) => (scheme === "basic" ? emptyLogin : "")),
      how: "with empty credentials",
      isNear: false,
    },
    ...otherRequests(bareRequest, givenPlaces, own, choices),
    ...partialChoices(choices, givenPlaces).map((parts) => ({
      request: parts.reduce((request, { place, value }) => withValue(request, place, value), bareRequest),
      how: `with ${parts.map(({ place }) => formatCredentialPlace(place)).join(" and ")} alone`,
      isNear: true,
    })),
    ...(isComparable ? nearMisses.map(({ how, spoil }) => ({ request: replaceAll(spoil), how, isNear: true })) : []),
  ];
}

/** The maximum number of requests with a part of the credentials. */
export const maxParts = 8;

/** One choice of credentials among several. */
export interface CredentialOption {
  /** A description that continues the name of its operation. */
  how: string;
  /** The request with only these credentials; undefined if some of them were not configured. */
  request: Request | undefined;
}

/** Returns the request with each single choice of credentials, which must be accepted. The result is empty if there is only one choice, or if no credentials are configured. */
export function withOneChoice(
  request: Request,
  places: readonly CredentialPlace[],
  credentials: GivenCredentials,
  choices: readonly (readonly CredentialPlace[])[] = places.map((place) => [place]),
): CredentialOption[] {
  const [bare] = unauthorizedRequests(request, places, credentials, choices);
  if (bare === undefined) return [];
  const singleChoices = choices.map((choice): CredentialOption => {
    const given = choice.map((place) => ({ place, value: valueIn(place, credentials.own, credentials.search) }));
    const isGiven = given.every(({ value }) => value !== undefined);
    return {
      how: `with ${choice.map(formatCredentialPlace).join(" and ")} alone`,
      request: isGiven
        ? given.reduce((partial, { place, value = "" }) => withValue(partial, place, value), bare.request)
        : undefined,
    };
  });
  // Two schemes may send their credentials in the same place.
  const distinctOptions = [
    ...new Map(singleChoices.map((credentialOption) => [credentialOption.how, credentialOption])).values(),
  ];
  return distinctOptions.length > 1 ? distinctOptions : [];
}

interface GivenPlace {
  place: CredentialPlace;
  value: string;
}

/** Returns, for each choice of several credentials, all subsets without one of them, unless these are enough for a different choice. Duplicates are removed. */
function partialChoices(
  choices: readonly (readonly CredentialPlace[])[],
  given: readonly GivenPlace[],
): GivenPlace[][] {
  const givenChoices = choices.map((choice) =>
    choice.map((place) => given.find((givenPlace) => isSameCredential(givenPlace.place, place))),
  );
  const partsByName = new Map<string, GivenPlace[]>();
  for (const choice of givenChoices) {
    if (choice.length < 2 || choice.includes(undefined)) continue;
    for (const omitted of choice) {
      const parts = (choice as GivenPlace[]).filter((givenPlace) => givenPlace !== omitted);
      const isEnough = givenChoices.some((other) => other.every((each) => each !== undefined && parts.includes(each)));
      if (!isEnough) partsByName.set(parts.map(({ place }) => formatCredentialPlace(place)).join(), parts);
    }
  }
  return [...partsByName.values()].slice(0, maxParts);
}

function isSameCredential(first: CredentialPlace, other: CredentialPlace): boolean {
  return isSame(first, other) && first.scheme === other.scheme;
}

export function formatCredentialPlace({ in: location, name, scheme }: CredentialPlace): string {
  return scheme === undefined ? `"${name}" in the ${location}` : `${scheme} credentials`;
}

/** Returns requests with the correct credentials under a different scheme and without a scheme, which the document does not allow (RFC 9110, 11.4). The result is empty unless all credentials with a scheme have the same scheme and were configured with it. */
function otherRequests(
  bare: Request,
  given: readonly GivenPlace[],
  own: GivenCredentials["own"],
  choices: readonly (readonly CredentialPlace[])[],
): Unauthorized[] {
  const schemed = given.filter(({ place: { scheme } }) => scheme !== undefined);
  const [first] = schemed;
  const [, authorization = ""] = Object.entries(own).find(([name]) => name.toLowerCase() === "authorization") ?? [];
  if (first === undefined || schemed.some(({ place }) => !isSameCredential(place, first.place))) return [];
  if (!authorization.toLowerCase().startsWith(`${first.place.scheme} `)) return [];
  const joinedChoice = choices.find((choice) =>
    choice.some((credentialPlace) => isSameCredential(credentialPlace, first.place)),
  ) ?? [first.place];
  const others = given.filter(
    ({ place }) =>
      !isSameCredential(place, first.place) &&
      joinedChoice.some((credentialPlace) => isSameCredential(credentialPlace, place)),
  );
  const isEnough = choices.some((choice) =>
    choice.every((credentialPlace) => others.some(({ place }) => isSameCredential(place, credentialPlace))),
  );
  if (joinedChoice.length !== others.length + 1 || isEnough) return [];
  const withoutSchemed = others.reduce((request, { place, value }) => withValue(request, place, value), bare);
  const withScheme = (prefix: string): Request => ({
    ...withoutSchemed,
    headers: { ...withoutSchemed.headers, authorization: `${prefix}${first.value}` },
  });
  return [
    {
      request: withScheme(first.place.scheme === "bearer" ? "Basic " : "Bearer "),
      how: "with the right credentials under another scheme",
      isNear: true,
    },
    { request: withScheme(""), how: "with the right credentials without their scheme", isNear: true },
  ];
}

/** Values that a server accepts if it compares only the beginning of credentials. */
const nearMisses: readonly { how: string; spoil(right: string): string }[] = [
  { how: "with credentials that lack the last character of the right ones", spoil: (right) => right.slice(0, -1) },
  // Adding a single character would not affect a lenient reader of Base64.
  { how: "with credentials that begin with the right ones and go on", spoil: (right) => `${right}aaaa` },
];

/** Whether every server must distinguish a value with a different ending. The ending of some values is padding, and the ending of a session cookie may name one of several servers. */
function isOpaque({ in: where, scheme }: CredentialPlace, value: string): boolean {
  return value.length > 1 && where !== "cookie" && scheme !== "basic" && !/[=\s]$/.test(value);
}

/** Headers about the message itself, which are kept. */
const messageHeaders = ["accept", "content-type", "user-agent"];

function isOwn(name: string, own: GivenCredentials["own"], profile: GivenCredentials["profile"]): boolean {
  const isNamed = (headers: GivenCredentials["own"]): boolean =>
    Object.keys(headers).some((each) => each.toLowerCase() === name);
  return (
    !messageHeaders.includes(name) && (isNamed(own) || (isNamed(profile) && !isNamed(withoutCredentials(profile))))
  );
}

/** Returns the configured credential for a place, without its scheme; undefined if there is none. */
export function valueIn(
  { in: where, name, scheme }: CredentialPlace,
  own: GivenCredentials["own"],
  search: string,
): string | undefined {
  if (where === "query") return new URLSearchParams(search).get(name) ?? undefined;
  const headerName = where === "cookie" ? "cookie" : name.toLowerCase();
  const [, value] = Object.entries(own).find(([each]) => each.toLowerCase() === headerName) ?? [];
  if (where === "header") return scheme === undefined ? value : value?.replace(/^[\w-]+ +/, "");
  return value
    ?.split(/;\s*/)
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

function isSame(place: CredentialPlace, { in: where, name }: { in: string; name: string }): boolean {
  return place.in === where && place.name.toLowerCase() === name.toLowerCase();
}

/** Removes the query of the address, which precedes the query of the request. */
function withoutSearch(path: string, search: string): string {
  const index = path.indexOf("?");
  if (search === "" || index === -1) return path;
  const remainingSearch = path.slice(index + search.length).replace(/^&/, "");
  return remainingSearch === "" ? path.slice(0, index) : `${path.slice(0, index)}?${remainingSearch}`;
}

const wrongCredential = "wrong-credentials-of-a-test";
const emptyLogin = Buffer.from(":").toString("base64");
const wrongLogin = Buffer.from(`${wrongCredential}:${wrongCredential}`).toString("base64");

function withValue(request: Request, { in: where, name, scheme }: CredentialPlace, value: string): Request {
  const { headers, path } = request;
  if (where === "query") {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    return { ...request, path: `${path}${path.includes("?") ? "&" : "?"}${pair}` };
  }
  if (where === "cookie") {
    const cookiePrefix = headers.cookie === undefined ? "" : `${headers.cookie}; `;
    return { ...request, headers: { ...headers, cookie: `${cookiePrefix}${name}=${value}` } };
  }
  const schemePrefix = scheme === undefined ? "" : { basic: "Basic ", bearer: "Bearer " }[scheme];
  return { ...request, headers: { ...headers, [name.toLowerCase()]: `${schemePrefix}${value}`.trimEnd() } };
}
