import type { JsonObject } from "../../../../schemas/index.ts";
import { objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { compactType } from "./types.ts";

const coreContext = "https://aaep-protocol.org/context/v1";
export const coreNamespace = "https://aaep-protocol.org/types/";
/** Prefixes that no extension may use (clause 7.3.2). */
const reservedPrefixes = new Set(["aaep", "xsd", "rdf", "rdfs"]);

/** Judges the members of an event that extensions define, and their declarations. */
export function judgeContexts(
  report: ReportFault,
  { "@context": context, type, extensions }: JsonObject,
  name: string | undefined,
): void {
  const uris = Array.isArray(context) ? context : [context];
  const hasExtensionContext = uris.some((uri) => uri !== coreContext);
  if (typeof type === "string")
    judgeType(report, compactType(type), { name, hasExtensionContext, contextCount: uris.length });
  for (const uri of uris.slice(1)) {
    if (typeof uri !== "string" || uri === coreContext) continue;
    if (uri.startsWith(coreNamespace)) report("uses a context from the namespace of the core");
    else if (!hasVersion(uri)) report("uses a context without a version", "extension-names");
  }
  const prefixes = Object.keys(objectOrEmpty(extensions));
  if (prefixes.length > 0 && !hasExtensionContext) report("has extensions without a context");
  for (const extensionPrefix of prefixes) judgePrefix(report, extensionPrefix);
}

/** Facts about an event that decide which types it may have. */
interface TypedEvent {
  name: string | undefined;
  hasExtensionContext: boolean;
  contextCount: number;
}

function judgeType(report: ReportFault, type: string, { name, hasExtensionContext, contextCount }: TypedEvent): void {
  if (!/^[A-Za-z][A-Za-z0-9+._-]*:[^\s]+$/.test(type)) {
    report("has a type that is neither prefix:name nor a URI");
    return;
  }
  const [typePrefix = ""] = type.split(":");
  if (typePrefix === "aaep") {
    if (name === undefined) report("has an unknown type of the core");
    return;
  }
  judgePrefix(report, typePrefix);
  if (!hasExtensionContext)
    report("has the type of an extension without its context", ...(contextCount > 1 ? ["core-context-backs"] : []));
}

/** Judges the prefix of an extension. */
export function judgePrefix(report: ReportFault, prefix: string): void {
  if (reservedPrefixes.has(prefix) || prefix.startsWith("@")) report(`uses the reserved prefix ${prefix}`);
  else if ([...prefix].length < 2) report(`uses the prefix ${prefix} of one letter`, "extension-names");
}

/** Whether the URI of an extension's context contains a major version. */
export function hasVersion(uri: string): boolean {
  const path = uri.replace(/^[a-z][a-z0-9+.-]*:(\/\/[^/?#]*)?/i, "");
  return /(?:^|[/:_.#=-])v?[0-9]+(?:[./_#-]|$)/i.test(path);
}
