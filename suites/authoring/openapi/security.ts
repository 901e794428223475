import { type CredentialPlace, isObject, type JsonObject } from "../../../schemas/index.ts";
import type { Operation } from "./operation.ts";
import { objectAt, placeBelow, type Sources } from "./source.ts";

/** The credentials of requests, as options of a command line: the first of each choice. */
export function credentialsOf(sources: Sources, operation: Operation): string[] {
  const [first] = demandsOf(sources, operation);
  return (first ?? []).flatMap(({ name, scheme }) =>
    scheme === undefined ? [] : [`${name}: ${describeScheme(scheme)}`],
  );
}

/**
 * The places of credentials in requests, for all choices, and the choices if there are several. Undefined if other credentials are possible, such as a certificate, or none
 * are required.
 */
export function credentialPlacesOf(
  sources: Sources,
  operation: Operation,
): { places: CredentialPlace[]; choices?: CredentialPlace[][] } | undefined {
  const choices = demandsOf(sources, operation).map((choice) => choice.map(({ scheme }) => placeOf(scheme ?? {})));
  const places = choices.flat();
  if (places.length === 0 || places.includes(undefined)) return undefined;
  const areJoined = choices.some(({ length }) => length > 1);
  return { places: places as CredentialPlace[], ...(areJoined ? { choices: choices as CredentialPlace[][] } : {}) };
}

/** A scheme that shows the sender of a request, and the required scopes. */
export interface SecurityDemand {
  name: string;
  scheme: JsonObject | undefined;
  scopes: string[];
}

/** The choices of schemes of an operation; each lists all schemes that it requires. Empty if one choice requires nothing. */
export function demandsOf(sources: Sources, { value }: Operation): SecurityDemand[][] {
  const root = sources.root.text.value as JsonObject;
  const security = value.security ?? root.security;
  const choices = Array.isArray(security) ? security.filter(isObject) : [];
  if (choices.some((choice) => Object.keys(choice).length === 0)) return [];
  return choices.map((choice) =>
    Object.entries(choice).map(([name, scopes]) => {
      const at = placeBelow({ source: sources.root, at: "" }, "components", "securitySchemes", name);
      return { name, scheme: objectAt(sources, at)?.value, scopes: Array.isArray(scopes) ? scopes.map(String) : [] };
    }),
  );
}

/** The names of schemes, with their types. */
export function describeSchemes(choices: readonly SecurityDemand[][]): string {
  const shown = choices.flat().map(({ name, scheme }) => {
    const { type = "not described", scheme: kind } = scheme ?? {};
    return `${name} (${String(type)}${kind === undefined ? "" : ` ${String(kind)}`})`;
  });
  return [...new Set(shown)].join(", ");
}

function placeOf({ type, in: where, name, scheme }: JsonObject): CredentialPlace | undefined {
  if (type === "apiKey")
    return ["header", "query", "cookie"].includes(String(where)) && typeof name === "string"
      ? { in: where as CredentialPlace["in"], name }
      : undefined;
  const kind = type === "http" ? String(scheme).toLowerCase() : "bearer";
  if (!["http", "oauth2", "openIdConnect"].includes(String(type)) || !["basic", "bearer"].includes(kind))
    return undefined;
  return { in: "header", name: "authorization", scheme: kind as "basic" };
}

export function describeScheme({ type, in: where, name, scheme }: JsonObject): string {
  if (type === "apiKey" && where === "query") return `--http "URL?${String(name)}=…"`;
  if (type === "apiKey" && where === "cookie") return `--header "Cookie: ${String(name)}=…"`;
  if (type === "apiKey") return `--header "${String(name)}: …"`;
  if (type === "mutualTLS") return "a client certificate, which Touchstone does not send";
  const kind = type === "http" && String(scheme).toLowerCase() === "basic" ? "Basic" : "Bearer";
  return `--header "Authorization: ${kind} …"`;
}
