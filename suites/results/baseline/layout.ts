import { isMap, isSeq, parseDocument } from "yaml";
import { type Baseline, type BaselineEntry, equal, type Json } from "../../../schemas/index.ts";
import { listText } from "./list-text.ts";

/** The text of a list in the layout of the text that it replaces: an entry that stays keeps its lines, and new ones are written in the same style. A YAML list stays YAML and keeps its comments. */
export function layOut(list: Baseline, before: string, isYaml: boolean): string {
  const text = isYaml ? inYaml(list, before) : inJson(list, before);
  return before.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
}

function inYaml(list: Baseline, before: string): string {
  const document = parseDocument(before);
  const entries = document.get("entries");
  if (!isMap(document.contents) || !isSeq(entries)) return listText(list);
  for (const name of ["sets", "judged"] as const)
    if (!equal((document.toJS()[name] ?? null) as Json, (list[name] ?? null) as unknown as Json))
      document.set(name, document.createNode(list[name]));
  const entriesLeft = [...list.entries];
  entries.items = entries.items.filter((item) =>
    takeFrom(entriesLeft, document.createNode(item).toJSON() as BaselineEntry),
  );
  for (const entry of entriesLeft) entries.add(document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

/** The usual text, but with the original lines of the entries that stay. */
function inJson(list: Baseline, before: string): string {
  const usualText = listText(list);
  const entries = parseDocument(before).get("entries");
  if (!isSeq(entries) || entries.range === undefined || entries.range === null) return usualText;
  const [from, to] = entries.range;
  const spans = entries.items.map((item) => (item as { range: [number, number, number] }).range);
  const first = spans[0];
  if (first === undefined || before[from] !== "[") return usualText;
  const texts = spans.map(([start, end]) => before.slice(start, end));
  const gaps = spans.map(([start], index) =>
    index === 0
      ? before.slice(from + 1, start)
      : before.slice((spans[index - 1] as number[])[1], start).replace(/^\s*,/, ""),
  );
  const entriesLeft = [...list.entries];
  const keptTexts = texts.flatMap((text, index) =>
    takeFrom(entriesLeft, JSON.parse(text) as BaselineEntry) ? [{ text, gap: gaps[index] as string }] : [],
  );
  const gap = gaps[1] ?? gaps[0] ?? "";
  const addedTexts = entriesLeft.map((entry) => ({ text: styleEntry(entry, texts, gap), gap }));
  const all = [...keptTexts, ...addedTexts].map((each, index) =>
    index === 0 ? `${gaps[0]}${each.text}` : `,${each.gap}${each.text}`,
  );
  if (all.length === 0) return usualText;
  const end = before.slice((spans.at(-1) as number[])[1], to - 1);
  const marker = '"entries": []';
  const text = listText({ ...list, entries: [] }).replace(marker, () => `"entries": [${all.join("")}${end}]`);
  // The order of members is that of the list; if anything is lost, the layout is not worth it.
  return equal(JSON.parse(text) as Json, list as unknown as Json) ? text : usualText;
}

/** Removes an entry from those still to write, if it is among them. */
function takeFrom(entriesLeft: BaselineEntry[], entry: BaselineEntry): boolean {
  const index = entriesLeft.findIndex((baselineEntry) =>
    equal(baselineEntry as unknown as Json, entry as unknown as Json),
  );
  if (index !== -1) entriesLeft.splice(index, 1);
  return index !== -1;
}

/** Writes a new entry like the others: on one line, or one member per line with the same indent. */
function styleEntry(entry: BaselineEntry, texts: readonly string[], gap: string): string {
  if (texts.every((text) => !text.includes("\n"))) {
    const room = /^\{ /.test(texts[0] ?? "") ? " " : "";
    const members = Object.entries(entry).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return `{${room}${members.join(", ")}${room}}`;
  }
  const outer = /[^\n]*$/.exec(gap)?.[0] ?? "";
  const [, inner = `${outer}  `] = /\n([ \t]*)"/.exec(texts.find((text) => text.includes("\n")) ?? "") ?? [];
  return JSON.stringify(entry, undefined, inner.slice(outer.length) || "  ").replaceAll("\n", `\n${outer}`);
}
