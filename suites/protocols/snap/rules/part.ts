import { formatHolds } from "../../../../generators/index.ts";
import { type Breach, type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";
import { growDocument } from "./large.ts";
import { documentsWith, partsIn } from "./places.ts";
import { bytesOf } from "./size.ts";

const contentNames: readonly string[] = ["text", "raw", "url", "data"];

/** A megabyte in the larger of two readings, because a message that some receivers accept must not count as wrong. */
export const megabyte = 1_048_576;

const maxTextLength = 10_485_760;

/** Counts characters as JSON Schema does. An array of them would need too much memory. */
function charactersOf(text: string): number {
  // In an ASCII string, every character is one unit.
  if (Buffer.byteLength(text) === text.length) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Lists the content members that a part has, even if they are empty. */
export function variantsOf(part: JsonObject): string[] {
  return contentNames.filter((name) => Object.hasOwn(part, name));
}

/** A fault of a part, or of one of its members. */
interface PartFault extends Pick<Breach, "level" | "why"> {
  member?: string;
}

function checker(
  rule: string,
  judge: (part: JsonObject) => PartFault | false,
  documents: readonly string[] = [...documentsWith.part, "large"],
): Checker {
  return {
    rule,
    documents,
    *check(instance, document): Iterable<Breach> {
      for (const { value, at } of partsIn(...growDocument(instance, document))) {
        const fault = judge(value);
        if (!fault) continue;
        const { member, ...breach } = fault;
        yield { at: member === undefined ? at : `${at}/${member}`, ...breach };
      }
    },
  };
}

export const partCheckers: readonly Checker[] = [
  checker("SNAP-PART-001", (part) => {
    const contents = variantsOf(part);
    if (contents.length === 1) return false;
    return {
      why: contents.length === 0 ? `has none of ${contentNames.join(", ")}` : `has ${contents.join(" and ")} at once`,
    };
  }),
  // In smaller documents, the schema enforces this limit.
  checker(
    "SNAP-PART-003",
    ({ text }) => {
      const size = typeof text === "string" && text.length > maxTextLength ? charactersOf(text) : 0;
      return size > maxTextLength && { member: "text", why: `has ${size} characters, more than ${maxTextLength}` };
    },
    ["large"],
  ),
  checker("SNAP-PART-004", ({ raw }) => {
    if (typeof raw !== "string") return false;
    if (raw.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(raw)) return { member: "raw", why: "is not base64" };
    const padding = raw.endsWith("==") ? 2 : raw.endsWith("=") ? 1 : 0;
    const size = (raw.length / 4) * 3 - padding;
    if (size > 10 * megabyte) return { member: "raw", why: `decodes to ${size} bytes, more than 10 MB` };
    // RFC 4648, 3.5, lets a decoder refuse unused bits that are not zero.
    const lastGroup = raw.slice(-4);
    const hasUnusedBits = Buffer.from(lastGroup, "base64").toString("base64") !== lastGroup;
    return (
      hasUnusedBits && { member: "raw", why: "has bits in its last character that belong to no byte", level: "NOTE" }
    );
  }),
  checker("SNAP-PART-005", ({ url }) => {
    const isNotUrl = typeof url === "string" && formatHolds("uri", url) === false;
    return isNotUrl && { member: "url", why: `is ${JSON.stringify(url)}, which is not an absolute URL` };
  }),
  checker("SNAP-PART-007", (part) => {
    const lacksType = typeof part.raw === "string" && !Object.hasOwn(part, "mediaType");
    return lacksType && { member: "raw", why: "comes without a mediaType" };
  }),
  checker("SNAP-PART-008", ({ data }) => {
    const size = isObject(data) ? bytesOf(data) : undefined;
    return size !== undefined && size > megabyte && { member: "data", why: `has ${size} bytes, more than 1 MB` };
  }),
];
