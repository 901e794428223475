import { type Breach, type Checker, isObject, pointer } from "../../../../schemas/index.ts";

const payloads = ["text", "data", "file"];

export const authoringCheckers: readonly Checker[] = [
  {
    rule: "AHCP-VER-008",
    documents: ["message"],
    *check(message) {
      const version = pointer.at("/ahcp_version", message);
      if (typeof version === "string" && version !== "0.3")
        yield { at: "/ahcp_version", why: `is "${version}", and an agent of this version writes "0.3"` };
    },
  },
  {
    rule: "AHCP-ENV-008",
    documents: ["message"],
    *check(message) {
      const title = pointer.at("/title", message);
      if (typeof title !== "string") return;
      const end = /[\n\r\u0085\u2028\u2029]/.exec(title);
      if (end !== null) {
        const code = end[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        yield { at: "/title", why: `ends its line at U+${code}` };
      } else if (/^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u.test(title))
        yield { at: "/title", why: "shows nothing but white space" };
    },
  },
  {
    rule: "AHCP-PRT-006",
    documents: ["message"],
    *check(message): Iterable<Breach> {
      const parts = pointer.at("/context", message);
      if (!Array.isArray(parts)) return;
      for (const [index, part] of parts.entries()) {
        if (!isObject(part) || typeof part.kind !== "string" || !payloads.includes(part.kind)) continue;
        for (const name of payloads)
          if (name !== part.kind && Object.hasOwn(part, name))
            yield { at: `/context/${index}/${name}`, why: `belongs to a Part of another kind than "${part.kind}"` };
      }
    },
  },
  {
    rule: "AHCP-ASK-018",
    documents: ["message"],
    *check(message): Iterable<Breach> {
      const options = pointer.at("/request/options", message);
      if (!Array.isArray(options)) return;
      const seen = new Set<string>();
      for (const [index, option] of options.entries()) {
        if (!isObject(option) || typeof option.value !== "string") continue;
        if (seen.has(option.value))
          yield { at: `/request/options/${index}/value`, why: `repeats "${option.value}" of an option before it` };
        seen.add(option.value);
      }
    },
  },
];
