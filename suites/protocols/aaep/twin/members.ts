import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { object, type Say } from "../../../packs/twins/say.ts";
import { faults, membersOf, schemasIn } from "./schema.ts";

const envelope = new Set(Object.keys(membersOf("envelope.schema.json")));
/** A user's words, spoken or assumed. */
const saidByUsers = ["request_text", "default_response"];

/** Members of events that people read or hear: free texts long enough for a sentence, according to the schemas (identifiers and names are shorter). */
export const readable: readonly string[] = [
  ...new Set(schemasIn("core").flatMap((name) => sentences(membersOf(`core/${name}.schema.json`)))),
];

function sentences(members: JsonObject): string[] {
  return Object.entries(members).flatMap(([name, schema]) => {
    const { type, maxLength, pattern } = object(schema);
    const isSentence = type === "string" && pattern === undefined && typeof maxLength === "number" && maxLength >= 4096;
    return isSentence && !saidByUsers.includes(name) ? [name] : [];
  });
}

/** The readable member that a name translates; undefined for other names. */
export function variantOf(name: string): string | undefined {
  return readable.find((each) => {
    const language = name.startsWith(`${each}_`) ? name.slice(each.length + 1) : "";
    return /^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*$/.test(language);
  });
}

/** Keywords that no event has (clause 3.5). */
const keywords = ["@id", "@graph", "@base", "@vocab"];

/** Judges the names of an event's members. */
export function members(say: Say, event: JsonObject, core: string | undefined): void {
  const own = core === undefined ? undefined : membersOf(`core/${core}.schema.json`);
  for (const name of Object.keys(event)) {
    if (envelope.has(name)) continue;
    if (name.startsWith("aaep_") || keywords.includes(name))
      say(`has the reserved member ${name}`, ...(own === undefined ? ["reserved-members-of-extensions"] : []));
    else if (own !== undefined && !Object.hasOwn(own, name))
      judgeUnknown(say, event, { core: core as string, own }, name);
  }
}

/** A core type, with the members in its schema. */
interface CoreType {
  core: string;
  own: JsonObject;
}

function judgeUnknown(say: Say, event: JsonObject, { core, own }: CoreType, name: string): void {
  const why = `has the unknown member ${name}`;
  const base = variantOf(name);
  if (base !== undefined && Object.hasOwn(own, base)) {
    const schema = `https://aaep-protocol.org/schemas/v1/core/${core}.schema.json#/properties/${base}`;
    if (faults(schema, event[name] as Json).length > 0)
      say(`has a ${name} that ${base} could not be`, "limits-of-variants");
  } else if (base?.startsWith("summary_") === true) say(why, "variants-of-missing-summaries");
  else if (/^summary_(terse|normal|detailed)$/.test(name)) say(why, "summaries-elsewhere");
  else if (/_raw$|_formatted$|_formatted_/.test(name) || ["currency", "fx_rate", "fx_rate_source"].includes(name))
    say(why, "members-of-numbers");
  else if (/^1\.0*[1-9][0-9]*\.[0-9]+/.test(String(event.aaep_version))) say(why, "members-of-later-versions");
  else say(why);
}
