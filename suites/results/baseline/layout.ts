import { isMap, isSeq, parseDocument } from "yaml";
import { type Baseline, type BaselineEntry, equal, type Json } from "../../../schemas/index.ts";
import { formatList } from "./list-text.ts";

/** Writes a baseline in the layout of the text that it replaces: entries that stay keep their lines, and new ones are written in the same style. A YAML file stays YAML and keeps its comments. */
export function layOutList(list: Baseline, before: string, isYaml: boolean): string {
  const text = isYaml ? layOutYaml(list, before) : layOutJson(list, before);
  return before.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
}

function layOutYaml(list: Baseline, before: string): string {
  const document = parseDocument(before);
  const entries = document.get("entries");
  if (!isMap(document.contents) || !isSeq(entries)) return formatList(list);
  for (const name of ["sets", "judged"] as const)
    if (!equal((document.toJS()[name] ?? null) as Json, (list[name] ?? null) as unknown as Json))
      document.set(name, document.createNode(list[name]));
  const remaining = [...list.entries];
  entries.items = entries.items.filter((item) =>
    removeEntry(remaining, document.createNode(item).toJSON() as BaselineEntry),
  );
  for (const entry of remaining) entries.add(document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

/** The usual text of a baseline, but with the original lines of the entries that stay. */
function layOutJson(list: Baseline, before: string): string {
  const usualText = formatList(list);
  const entries = parseDocument(before).get("entries");
  if (!isSeq(entries) || entries.range === undefined || entries.range === null) return usualText;
  const [from, to] = entries.range;
  const entryRanges = entries.items.map((item) => (item as { range: [number, number, number] }).range);
  const first = entryRanges[0];
  if (first === undefined || before[from] !== "[") return usualText;
  const formerTexts = entryRanges.map(([start, end]) => before.slice(start, end));
  // The white space before each entry, without the comma.
  const gaps = entryRanges.map(([start], index) =>
    index === 0
      ? before.slice(from + 1, start)
      : before.slice((entryRanges[index - 1] as number[])[1], start).replace(/^\s*,/, ""),
  );
  const remaining = [...list.entries];
  const keptTexts = formerTexts.flatMap((text, index) =>
    removeEntry(remaining, JSON.parse(text) as BaselineEntry) ? [{ text, gap: gaps[index] as string }] : [],
  );
  const gap = gaps[1] ?? gaps[0] ?? "";
  const addedTexts = remaining.map((entry) => ({ text: styleEntry(entry, formerTexts, gap), gap }));
  const entryTexts = [...keptTexts, ...addedTexts].map((entry, index) =>
    index === 0 ? `${gaps[0]}${entry.text}` : `,${entry.gap}${entry.text}`,
  );
  if (entryTexts.length === 0) return usualText;
  const end = before.slice((entryRanges.at(-1) as number[])[1], to - 1);
  const marker = '"entries": []';
  const text = formatList({ ...list, entries: [] }).replace(marker, () => `"entries": [${entryTexts.join("")}${end}]`);
  // If the text does not have exactly the content of the list, the layout is given up.
  return equal(JSON.parse(text) as Json, list as unknown as Json) ? text : usualText;
}

/** Removes an entry from a list, and returns whether it was there. */
function removeEntry(remaining: BaselineEntry[], entry: BaselineEntry): boolean {
  const index = remaining.findIndex((baselineEntry) =>
    equal(baselineEntry as unknown as Json, entry as unknown as Json),
  );
  if (index !== -1) remaining.splice(index, 1);
  return index !== -1;
}

/** Writes a new entry like the others: on one line, or one member per line with the same indent. */
function styleEntry(entry: BaselineEntry, texts: readonly string[], gap: string): string {
  if (texts.every((text) => !text.includes("\n"))) {
    const padding = /^\{ /.test(texts[0] ?? "") ? " " : "";
    const members = Object.entries(entry).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return `{${padding}${members.join(", ")}${padding}}`;
  }
  const outerIndent = /[^\n]*$/.exec(gap)?.[0] ?? "";
  const [, innerIndent = `${outerIndent}  `] =
    /\n([ \t]*)"/.exec(texts.find((text) => text.includes("\n")) ?? "") ?? [];
  return JSON.stringify(entry, undefined, innerIndent.slice(outerIndent.length) || "  ").replaceAll(
    "\n",
    `\n${outerIndent}`,
  );
}
