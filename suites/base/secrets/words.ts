import { isObject, ownSchemas } from "../../../schemas/light-entry.ts";

/** The formats of stored results. */
const resultFormats = ["report", "report-line"];

/** Our own stages at which something may fail. Any other stage comes from a target that runs in this process. */
export const stageWords: ReadonlySet<string> = new Set([
  "access",
  "answer",
  "choosing",
  "compiling",
  "connect",
  "crash",
  "events",
  "families",
  "faults",
  "hook",
  "judging",
  "mutants",
  "open",
  "play",
  "presented",
  "protocol",
  "read",
  "run",
  "scenarios",
  "send",
  "start",
  "step",
  "submit",
  "subscribe",
  "texts",
  "unknown-tool",
  "walks",
]);

// Read once, when first needed.
let knownWords: Set<string> | undefined;

/** Whether a text is a word of our own formats, such as the name of a member or an outcome. Hiding it as a secret would be pointless: every report contains it. */
export function isOwnWord(text: string): boolean {
  knownWords ??= collectWords();
  const word = text.toLowerCase();
  return knownWords.has(word) || "[redacted]".includes(word);
}

/** Collects the names and the constant values in our formats, in lower case. */
function collectWords(): Set<string> {
  const words = new Set<string>([...stageWords, "nobody", "touchstone"]);
  const schemas = ownSchemas();
  const pending: unknown[] = resultFormats.map((name) => schemas[name]);
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) pending.push(...next);
    if (!isObject(next)) continue;
    const { properties, enum: values, const: value, ...otherMembers } = next as Record<string, unknown>;
    for (const name of isObject(properties) ? Object.keys(properties) : []) words.add(name.toLowerCase());
    for (const constant of [value, ...(Array.isArray(values) ? values : [])])
      if (typeof constant === "string") words.add(constant.toLowerCase());
    pending.push(properties, ...Object.values(otherMembers));
  }
  return words;
}
