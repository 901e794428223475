import { type Checker, isObject, type JsonObject, pointer, protocolNamed } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";
import { originalOf, summaries } from "./readable.ts";

/** Checks of the names of an event's members. */
export const memberCheckers: readonly Checker[] = [
  onEvents("AAEP-ENV-033", function* (event, name) {
    if (name === undefined) return;
    const knownMembers = membersOf(name);
    for (const member of Object.keys(event)) {
      if (knownMembers.has(member) || isReserved(member)) continue;
      const originalName = originalOf(member);
      if (originalName !== undefined && knownMembers.has(originalName)) {
        // The specification only defines the names of translations, but a value that is not a string cannot be one.
        if (typeof event[member] !== "string")
          yield { at: pointer.append("", member), why: `is not text, as ${originalName} is`, level: "SHOULD" };
        continue;
      }
      const isLenient =
        isMonetary(member) ||
        isNewer(event.aaep_version) ||
        (member.startsWith("summary_") && !summaries.some((summary) => knownMembers.has(summary)));
      const why = `is not a member of ${name}`;
      yield { at: pointer.append("", member), why, ...(isLenient ? { level: "SHOULD" } : {}) };
    }
  }),
  onEvents("AAEP-ENV-034", function* (event, name) {
    // Some readers allow extensions to choose any names in their events.
    const levelOfExtension = name === undefined ? { level: "SHOULD" as const } : {};
    for (const member of Object.keys(event))
      if (isReserved(member))
        yield { at: pointer.append("", member), why: `has the reserved name "${member}"`, ...levelOfExtension };
  }),
];

function isReserved(member: string): boolean {
  if (["@id", "@graph", "@base", "@vocab"].includes(member)) return true;
  return member.startsWith("aaep_") && member !== "aaep_version";
}

/** Whether a name is like those in the specification's chapter on numbers and currencies. */
function isMonetary(member: string): boolean {
  return /_(raw|formatted)$|_formatted_/.test(member) || ["currency", "fx_rate", "fx_rate_source"].includes(member);
}

/** Whether the version is a later minor one, which may have added members. */
function isNewer(version: unknown): boolean {
  return typeof version === "string" && /^1\.[1-9][0-9]*\./.test(version);
}

const memberSets = new Map<EventName, ReadonlySet<string>>();

/** Lists the members that the schemas define for an event, in the envelope and in its payload. */
export function membersOf(name: EventName): ReadonlySet<string> {
  if (memberSets.size === 0) {
    const { profile, schemas } = protocolNamed("aaep");
    const memberNames = (document: string): string[] => {
      const { properties } = schemas[profile.documents.findIndex(({ name }) => name === document)] as JsonObject;
      return isObject(properties) ? Object.keys(properties) : [];
    };
    for (const { name, role } of profile.documents)
      if (role === "entry" && name.startsWith("agent."))
        memberSets.set(name as EventName, new Set([...memberNames("envelope"), ...memberNames(name)]));
  }
  return memberSets.get(name) as ReadonlySet<string>;
}
