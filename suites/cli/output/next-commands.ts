import type { Document, Manifest, Profile } from "../../../schemas/index.ts";
import { programName } from "../../base/text/program.ts";
import { quote } from "../../base/text/quote.ts";

/** The percentage of the assertions that can be isolated and are. */
export function isolatedPercent({ documents }: Manifest): number {
  const broken = documents.reduce((sum, document) => sum + document.broken, 0);
  const left = documents.flatMap(({ unbroken }) => unbroken.filter(({ kind }) => kind !== "unbreakable"));
  return broken + left.length === 0 ? 100 : (100 * broken) / (broken + left.length);
}

/** The path of the first server in a description, for a server on this machine. */
export function serverAddress({ http }: Profile): string {
  const [server = "/"] = http.servers ?? [];
  return new URL(server, "http://localhost").pathname.replace(/\/$/, "");
}

/** The first document that a server receives without a known path. */
export function lackingPath(documents: readonly Document[]): Document | undefined {
  return documents.find(
    ({ role, endpoint, unsent }) => role === "entry" && endpoint === undefined && unsent === undefined,
  );
}

/** The commands to continue with: one for each kind of implementation. A description belongs to a server with paths below `base`. */
export function nextCommands(path: string, lacking: Document | undefined, base: string | undefined): string[] {
  const run = `${programName()} run ${quote(/^[./]/.test(path) ? path : `./${path}`)}`;
  if (lacking?.tool !== undefined) return [`${run} --mcp "COMMAND" --tool ${quote(lacking.tool.name)}`];
  const endpoint = lacking === undefined ? "" : ` --endpoint ${lacking.name}=/path`;
  const others = base !== undefined ? [] : [`${run} --module FILE`, `${run} --command "COMMAND"`];
  return [...others, `${run} --http http://127.0.0.1:8080${base ?? ""}${endpoint}`];
}

/** The credentials for requests to a server, to add to these commands. */
export function credentialsFor(documents: readonly Document[]): string[] {
  const wanted = new Set(documents.flatMap(({ endpoint }) => endpoint?.described?.credentials ?? []));
  return wanted.size === 0 ? [] : [`with --http also credentials: ${[...wanted].join(", ")}`];
}
