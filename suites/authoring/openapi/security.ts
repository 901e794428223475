import { type CredentialPlace, isObject, type JsonObject } from "../../../schemas/index.ts";
import type { Operation } from "./operation.ts";
import { objectAt, placeBelow, type Sources } from "./source.ts";

/** Returns the credentials of the first alternative as command-line options. */
export function credentialsOf(sources: Sources, operation: Operation): string[] {
  const [firstChoice] = securityRequirementsOf(sources, operation);
  return (firstChoice ?? []).flatMap(({ name, scheme }) =>
    scheme === undefined ? [] : [`${name}: ${describeScheme(scheme)}`],
  );
}

/**
 * Returns the places of credentials in requests, for all alternatives, and the alternatives if one of them combines schemes. Undefined if other credentials are possible, such as a certificate, or none
 * are required.
 */
export function credentialPlacesOf(
  sources: Sources,
  operation: Operation,
): { places: CredentialPlace[]; choices?: CredentialPlace[][] } | undefined {
  const choices = securityRequirementsOf(sources, operation).map((choice) =>
    choice.map(({ scheme }) => credentialPlaceOf(scheme ?? {})),
  );
  const places = choices.flat();
  if (places.length === 0 || places.includes(undefined)) return undefined;
  const combinesSchemes = choices.some(({ length }) => length > 1);
  return {
    places: places as CredentialPlace[],
    ...(combinesSchemes ? { choices: choices as CredentialPlace[][] } : {}),
  };
}

/** A security scheme that authenticates a request, and the required scopes. */
export interface SecurityRequirement {
  name: string;
  scheme: JsonObject | undefined;
  scopes: string[];
}

/** The choices of schemes of an operation; each lists all schemes that it requires. Empty if one choice requires nothing. */
export function securityRequirementsOf(sources: Sources, { value }: Operation): SecurityRequirement[][] {
  const root = sources.root.text.value as JsonObject;
  const security = value.security ?? root.security;
  const choices = Array.isArray(security) ? security.filter(isObject) : [];
  if (choices.some((choice) => Object.keys(choice).length === 0)) return [];
  return choices.map((choice) =>
    Object.entries(choice).map(([name, scopes]) => {
      const schemePlace = placeBelow({ source: sources.root, at: "" }, "components", "securitySchemes", name);
      return {
        name,
        scheme: objectAt(sources, schemePlace)?.value,
        scopes: Array.isArray(scopes) ? scopes.map(String) : [],
      };
    }),
  );
}

/** The names of schemes, with their types. */
export function describeSchemes(choices: readonly SecurityRequirement[][]): string {
  const schemeTexts = choices.flat().map(({ name, scheme }) => {
    const { type = "not described", scheme: httpScheme } = scheme ?? {};
    return `${name} (${String(type)}${httpScheme === undefined ? "" : ` ${String(httpScheme)}`})`;
  });
  return [...new Set(schemeTexts)].join(", ");
}

function credentialPlaceOf({ type, in: location, name, scheme }: JsonObject): CredentialPlace | undefined {
  if (type === "apiKey")
    return ["header", "query", "cookie"].includes(String(location)) && typeof name === "string"
      ? { in: location as CredentialPlace["in"], name }
      : undefined;
  const httpScheme = type === "http" ? String(scheme).toLowerCase() : "bearer";
  if (!["http", "oauth2", "openIdConnect"].includes(String(type)) || !["basic", "bearer"].includes(httpScheme))
    return undefined;
  return { in: "header", name: "authorization", scheme: httpScheme as "basic" };
}

export function describeScheme({ type, in: location, name, scheme }: JsonObject): string {
  if (type === "apiKey" && location === "query") return `--http "URL?${String(name)}=…"`;
  if (type === "apiKey" && location === "cookie") return `--header "Cookie: ${String(name)}=…"`;
  if (type === "apiKey") return `--header "${String(name)}: …"`;
  if (type === "mutualTLS") return "a client certificate, which Touchstone does not send";
  const authScheme = type === "http" && String(scheme).toLowerCase() === "basic" ? "Basic" : "Bearer";
  return `--header "Authorization: ${authScheme} …"`;
}
