import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { findFaults, membersOf, schemasIn } from "./schema.ts";

const envelopeMembers = new Set(Object.keys(membersOf("envelope.schema.json")));
/** Members that contain words of the user. */
const userTexts = ["request_text", "default_response"];

/** Members of events that people read or hear. In the schemas, these are strings without a pattern, with room for a sentence. */
export const readableMembers: readonly string[] = [
  ...new Set(schemasIn("core").flatMap((name) => findSentenceMembers(membersOf(`core/${name}.schema.json`)))),
];

function findSentenceMembers(members: JsonObject): string[] {
  return Object.entries(members).flatMap(([name, schema]) => {
    const { type, maxLength, pattern } = objectOrEmpty(schema);
    const isSentence = type === "string" && pattern === undefined && typeof maxLength === "number" && maxLength >= 4096;
    return isSentence && !userTexts.includes(name) ? [name] : [];
  });
}

/** Finds the readable member that the named one translates. Undefined for other names. */
export function translatedMemberOf(name: string): string | undefined {
  return readableMembers.find((member) => {
    const language = name.startsWith(`${member}_`) ? name.slice(member.length + 1) : "";
    return /^[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*$/.test(language);
  });
}

/** Keywords that events must not contain (clause 3.5). */
const keywords = ["@id", "@graph", "@base", "@vocab"];

/** Judges the names of an event's members. */
export function judgeMembers(report: ReportFault, event: JsonObject, coreName: string | undefined): void {
  const coreMembers = coreName === undefined ? undefined : membersOf(`core/${coreName}.schema.json`);
  for (const name of Object.keys(event)) {
    if (envelopeMembers.has(name)) continue;
    if (name.startsWith("aaep_") || keywords.includes(name))
      report(
        `has the reserved member ${name}`,
        ...(coreMembers === undefined ? ["reserved-members-of-extensions"] : []),
      );
    else if (coreMembers !== undefined && !Object.hasOwn(coreMembers, name))
      judgeUnknown(report, event, { core: coreName as string, coreMembers }, name);
  }
}

/** A core type, with the members in its schema. */
interface CoreType {
  core: string;
  coreMembers: JsonObject;
}

function judgeUnknown(report: ReportFault, event: JsonObject, { core, coreMembers }: CoreType, name: string): void {
  const why = `has the unknown member ${name}`;
  const translatedMember = translatedMemberOf(name);
  if (translatedMember !== undefined && Object.hasOwn(coreMembers, translatedMember)) {
    const schema = `https://aaep-protocol.org/schemas/v1/core/${core}.schema.json#/properties/${translatedMember}`;
    if (findFaults(schema, event[name] as Json).length > 0)
      report(`has a ${name} that would not be valid as ${translatedMember}`, "limits-of-variants");
  } else if (translatedMember?.startsWith("summary_") === true) report(why, "variants-of-missing-summaries");
  else if (/^summary_(terse|normal|detailed)$/.test(name)) report(why, "summaries-elsewhere");
  else if (/_raw$|_formatted$|_formatted_/.test(name) || ["currency", "fx_rate", "fx_rate_source"].includes(name))
    report(why, "members-of-numbers");
  else if (/^1\.0*[1-9][0-9]*\.[0-9]+/.test(String(event.aaep_version))) report(why, "members-of-later-versions");
  else report(why);
}
