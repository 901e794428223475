import { type Checker, isObject, type JsonObject, pointer, protocolNamed } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";
import { originalOf, summaries } from "./readable.ts";

/** The names of an event's members. */
export const memberCheckers: readonly Checker[] = [
  onEvents("AAEP-ENV-033", function* (event, name) {
    if (name === undefined) return;
    const known = membersOf(name);
    for (const member of Object.keys(event)) {
      if (known.has(member) || isReserved(member)) continue;
      const base = originalOf(member);
      if (base !== undefined && known.has(base)) {
        // The text only specifies the names of variants, but a value that is not a text cannot be a variant.
        if (typeof event[member] !== "string")
          yield { at: pointer.append("", member), why: `is not text, as ${base} is`, level: "SHOULD" };
        continue;
      }
      const mild =
        isOfMoney(member) ||
        isNewer(event.aaep_version) ||
        (member.startsWith("summary_") && !summaries.some((summary) => known.has(summary)));
      const why = `is not a member of ${name}`;
      yield { at: pointer.append("", member), why, ...(mild ? { level: "SHOULD" } : {}) };
    }
  }),
  onEvents("AAEP-ENV-034", function* (event, name) {
    // Some readers allow extensions to choose any names in their events.
    const mild = name === undefined ? { level: "SHOULD" as const } : {};
    for (const member of Object.keys(event))
      if (isReserved(member))
        yield { at: pointer.append("", member), why: `has the reserved name "${member}"`, ...mild };
  }),
];

function isReserved(member: string): boolean {
  if (["@id", "@graph", "@base", "@vocab"].includes(member)) return true;
  return member.startsWith("aaep_") && member !== "aaep_version";
}

/** Names like those in the specification's chapter on numbers and currencies. */
function isOfMoney(member: string): boolean {
  return /_(raw|formatted)$|_formatted_/.test(member) || ["currency", "fx_rate", "fx_rate_source"].includes(member);
}

/** A later minor version may have added members. */
function isNewer(version: unknown): boolean {
  return typeof version === "string" && /^1\.[1-9][0-9]*\./.test(version);
}

const members = new Map<EventName, ReadonlySet<string>>();

/** The members of an event in the schemas: those of the envelope and its own. */
export function membersOf(name: EventName): ReadonlySet<string> {
  if (members.size === 0) {
    const { profile, schemas } = protocolNamed("aaep");
    const memberNames = (document: string): string[] => {
      const { properties } = schemas[profile.documents.findIndex(({ name }) => name === document)] as JsonObject;
      return isObject(properties) ? Object.keys(properties) : [];
    };
    for (const { name, role } of profile.documents)
      if (role === "entry" && name.startsWith("agent."))
        members.set(name as EventName, new Set([...memberNames("envelope"), ...memberNames(name)]));
  }
  return members.get(name) as ReadonlySet<string>;
}
