import {
  type Document,
  documentLine,
  type Endpoint,
  nearestName,
  type Protocol,
  type Question,
  type Skip,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import { skipNeverAsked } from "../../base/text/skips.ts";

/** A path, or a complete endpoint, by document name. */
export type Endpoints = Readonly<Record<string, string | Endpoint>>;

/** Returns the endpoint of a document from the configuration or the profile; undefined if there is none. */
export function routeOf({ name, endpoint }: Document, endpoints: Endpoints): Endpoint | undefined {
  const configuredEndpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (typeof configuredEndpoint === "string") return { method: "POST", ...endpoint, path: configuredEndpoint };
  return configuredEndpoint ?? endpoint;
}

/** How a document is sent: its endpoint, whether it is sent in its carrier, and which documents the same endpoint accepts directly. */
export interface DocumentRoute {
  route: Endpoint | undefined;
  isWrapped: boolean;
  sharing: readonly Document[];
}

/** The route for a target that is not open. */
export const noRoute: DocumentRoute = { route: undefined, isWrapped: false, sharing: [] };

/** Returns the routes of a protocol's documents, by name. */
export function routesOf({ profile: { documents } }: Protocol, endpoints: Endpoints): Map<string, DocumentRoute> {
  const routes = new Map(documents.map((document) => [document, routeOf(document, endpoints)]));
  // The carrier belongs to the profile's endpoint. Any other path receives the document itself.
  const isWrapped = (document: Document): boolean =>
    document.wrap !== undefined &&
    document.endpoint !== undefined &&
    routes.get(document)?.path === document.endpoint.path;
  const bareDocuments = documents.filter((document) => !isWrapped(document));
  return new Map(
    documents.map((document) => {
      const route = routes.get(document);
      const sharing = bareDocuments.filter((other) => isSame(routes.get(other), route));
      return [document.name, { route, isWrapped: isWrapped(document), sharing }];
    }),
  );
}

/** Whether two documents arrive at the same place in the same way, so that one might be mistaken for the other. */
function isSame(a: Endpoint | undefined, b: Endpoint | undefined): boolean {
  return a?.path === b?.path && a?.method === b?.method && a?.carries === b?.carries;
}

/** Explains why a document without an endpoint is not sent. */
export function skipUnreachable({ role, name, unsent }: Document, protocol?: Protocol): Skip {
  if (unsent !== undefined) return skipNeverAsked(unsent, "profile");
  switch (role) {
    case "emitted":
      return skipNeverAsked("the implementation sends this document, it does not receive it", "emitted");
    case "part":
      return skipNeverAsked("this document only travels inside another one", "part");
    case "record":
    case "trace":
      return skipNeverAsked(
        "nobody sends this document: it records what several messages, or files, are together, for rules about them",
        "record",
      );
    case "entry":
      return {
        why: `no endpoint is known for ${name}: name its path with --endpoint ${name}=/path${inProfile(protocol, name)}`,
        cause: { kind: "no-endpoint", document: name },
      };
  }
}

/** Names the place in a pack where the path can be written instead. */
function inProfile(protocol: Protocol | undefined, name: string): string {
  const line = protocol === undefined ? undefined : documentLine(protocol, name);
  return line === undefined ? "" : `, or add "endpoint": "/path" in ${line}`;
}

/** Replaces each name with an asterisk by the matching documents that have an endpoint in the profile. A name without an asterisk takes precedence. */
export function expandEndpoints(endpoints: Endpoints, { profile: { documents } }: Protocol): Endpoints {
  const expanded: Record<string, string | Endpoint> = {};
  for (const [name, givenPath] of Object.entries(endpoints)) {
    if (!name.includes("*")) continue;
    const matchingDocuments = documents.filter(
      (document) => document.endpoint !== undefined && matchesPattern(name, document.name),
    );
    // A name without documents is reported as unknown to the protocol.
    for (const documentName of matchingDocuments.length === 0
      ? [name]
      : matchingDocuments.map((document) => document.name))
      expanded[documentName] = givenPath;
  }
  const wholeNames = Object.entries(endpoints).filter(([name]) => !name.includes("*"));
  return { ...expanded, ...Object.fromEntries(wholeNames) };
}

/** Whether a name with asterisks, which stand for any text, matches a document. */
function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}

/** Throws a usage error for a document that the protocol does not have, for a path that could lead to a different host, and for an address that ends with the path of a document. */
export function checkEndpoints(endpoints: Endpoints, protocol: Protocol, address: Address): void {
  const { name, profile } = protocol;
  const names = profile.documents.map((document) => document.name);
  for (const [document, endpoint] of Object.entries(endpoints)) {
    const path = typeof endpoint === "string" ? endpoint : endpoint.path;
    if (!names.includes(document)) {
      throw new TouchstoneError("usage", `an endpoint is given for "${document}", which ${name} does not have`, {
        hint: `${nearestName(document, names)}its documents: ${names.join(", ")}`,
      });
    }
    if (!/^\/(?!\/)[\x21-\x7e]*$/.test(path)) {
      throw new TouchstoneError("usage", `the endpoint "${path}" of ${document} is not a path`, {
        hint: "a path begins with one /",
      });
    }
  }
  mustBeBase(address, endpoints, protocol);
}

/** Throws a usage error if the address is the one of a document instead of the server's, because paths would be appended to it. Documents with a path in the configuration are not considered. */
export function mustBeBase({ prefix, origin, shown }: Address, endpoints: Endpoints, { profile }: Protocol): void {
  const otherDocuments = profile.documents.filter(({ name }) => !Object.hasOwn(endpoints, name));
  const repeatedPath = otherDocuments.find(({ endpoint }) => endpoint !== undefined && prefix.endsWith(endpoint.path));
  const path = repeatedPath?.endpoint?.path ?? "";
  if (repeatedPath === undefined || path === "/") return;
  throw new TouchstoneError("usage", `the URL ends with ${path}, and messages would be sent to ${shown}${path}`, {
    where: shown,
    hint: `leave the path out: ${origin}${prefix.slice(0, -path.length)}; if the server does have this path, name it with --endpoint ${repeatedPath.name}=${path}`,
  });
}

/** Explains why raw text cannot be sent in a request; undefined if it can, or if the question has a value instead. */
export function misplacedText(
  { carries, optional }: Endpoint,
  question: Question,
  isWrapped: boolean,
): string | undefined {
  if (question.data !== undefined) return undefined;
  if (isWrapped) return "the document travels inside another one, where raw text has no place";
  if (carries !== undefined) return "parameters are not a text of JSON";
  const isEmpty = (question.text ?? question.bytes)?.length === 0;
  return optional === true && isEmpty ? "the operation need not have a body, and an empty text is not one" : undefined;
}
