import type { JsonObject } from "../../../../schemas/index.ts";
import { object, type Say } from "../../../packs/twins/say.ts";
import { compactType } from "./types.ts";

const coreContext = "https://aaep-protocol.org/context/v1";
export const coreNamespace = "https://aaep-protocol.org/types/";
/** Prefixes that no extension may use (clause 7.3.2). */
const reservedPrefixes = new Set(["aaep", "xsd", "rdf", "rdfs"]);

/** Judges the members of an event that extensions define, and their declarations. */
export function contexts(
  say: Say,
  { "@context": context, type, extensions }: JsonObject,
  name: string | undefined,
): void {
  const all = Array.isArray(context) ? context : [context];
  const isBacked = all.some((each) => each !== coreContext);
  if (typeof type === "string") judgeType(say, compactType(type), { name, isBacked, contexts: all.length });
  for (const each of all.slice(1)) {
    if (typeof each !== "string" || each === coreContext) continue;
    if (each.startsWith(coreNamespace)) say("takes a context from the namespace of the core");
    else if (!hasVersion(each)) say("takes a context without a version", "extension-names");
  }
  const prefixes = Object.keys(object(extensions));
  if (prefixes.length > 0 && !isBacked) say("has extensions and no context of theirs");
  for (const each of prefixes) prefix(say, each);
}

/** An event of some type: its name in the core, and its contexts. */
interface TypedEvent {
  name: string | undefined;
  isBacked: boolean;
  contexts: number;
}

function judgeType(say: Say, type: string, { name, isBacked, contexts }: TypedEvent): void {
  if (!/^[A-Za-z][A-Za-z0-9+._-]*:[^\s]+$/.test(type)) {
    say("has a type that is neither prefix:name nor a URI");
    return;
  }
  const [before = ""] = type.split(":");
  if (before === "aaep") {
    if (name === undefined) say("has a type that the core does not have");
    return;
  }
  prefix(say, before);
  if (!isBacked)
    say("has the type of an extension and no context of it", ...(contexts > 1 ? ["core-context-backs"] : []));
}

/** Judges the prefix of an extension. */
export function prefix(say: Say, name: string): void {
  if (reservedPrefixes.has(name) || name.startsWith("@")) say(`takes the reserved prefix ${name}`);
  else if ([...name].length < 2) say(`takes the prefix ${name}, of one letter`, "extension-names");
}

/** Whether the URI of an extension's context contains a major version. */
export function hasVersion(uri: string): boolean {
  const rest = uri.replace(/^[a-z][a-z0-9+.-]*:(\/\/[^/?#]*)?/i, "");
  return /(?:^|[/:_.#=-])v?[0-9]+(?:[./_#-]|$)/i.test(rest);
}
