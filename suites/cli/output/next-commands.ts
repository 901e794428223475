import type { Document, Manifest, Profile } from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import { quoteForShell } from "../../base/text/quote.ts";

/** The percentage of isolated assertions among those that can be isolated. */
export function isolatedPercent({ documents }: Manifest): number {
  const brokenCount = documents.reduce((sum, document) => sum + document.broken, 0);
  const unbrokenSites = documents.flatMap(({ unbroken }) => unbroken.filter(({ kind }) => kind !== "unbreakable"));
  return brokenCount + unbrokenSites.length === 0 ? 100 : (100 * brokenCount) / (brokenCount + unbrokenSites.length);
}

/** The path of the first server in a description, for a server on this machine. */
export function serverAddress({ http }: Profile): string {
  const [server = "/"] = http.servers ?? [];
  return new URL(server, "http://localhost").pathname.replace(/\/$/, "");
}

/** The first document that a server receives and for which no path is known. */
export function documentWithoutPath(documents: readonly Document[]): Document | undefined {
  return documents.find(
    ({ role, endpoint, unsent }) => role === "entry" && endpoint === undefined && unsent === undefined,
  );
}

/** The commands to continue with, one for each kind of implementation. For an API description, `base` is the path of its server, and only the command for a server is returned. */
export function nextCommands(
  path: string,
  documentWithoutEndpoint: Document | undefined,
  base: string | undefined,
): string[] {
  const run = `${programName()} run ${quoteForShell(/^[./]/.test(path) ? path : `./${path}`)}`;
  if (documentWithoutEndpoint?.tool !== undefined)
    return [`${run} --mcp "COMMAND" --tool ${quoteForShell(documentWithoutEndpoint.tool.name)}`];
  const endpoint = documentWithoutEndpoint === undefined ? "" : ` --endpoint ${documentWithoutEndpoint.name}=/path`;
  const localCommands = base !== undefined ? [] : [`${run} --module FILE`, `${run} --command "COMMAND"`];
  return [...localCommands, `${run} --http http://127.0.0.1:8080${base ?? ""}${endpoint}`];
}

/** The credentials for requests to a server, to add to these commands. */
export function credentialsFor(documents: readonly Document[]): string[] {
  const credentials = new Set(documents.flatMap(({ endpoint }) => endpoint?.described?.credentials ?? []));
  return credentials.size === 0 ? [] : [`with --http also credentials: ${[...credentials].join(", ")}`];
}
