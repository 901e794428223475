import { make } from "./build.js";
import { siteOf } from "./heat.js";
import { linesOf } from "./lines.js";
import { hashOf } from "./route.js";

/** The maximum number of lines shown before and after an assertion. */
const maxContextLines = 8;

/**
 * The lines around an assertion, which is marked; empty if the page does not have the schema.
 * @param {import("./model.js").Vector} vector
 */
export function schemaExcerpt({ group, site }) {
  const id = site.slice(0, site.indexOf("#"));
  const schema = group.schemas.find((candidate) => candidate.id === id);
  if (site === "" || schema === undefined) return [];
  const lines = linesOf(schema.value, schema.id);
  const index = lines.findIndex((line) => siteOf(line) === site);
  const line = lines[index];
  if (line === undefined) return [];
  // The lines of the enclosing value, if they are near enough.
  let first = index;
  while (first > 0 && index - first < maxContextLines && (lines[first]?.depth ?? 0) >= line.depth) first -= 1;
  let last = index + 1;
  while (last < lines.length - 1 && last - index < maxContextLines && (lines[last]?.depth ?? 0) >= line.depth)
    last += 1;
  const shownLines = lines.slice(first, last + 1);
  const minDepth = Math.min(...shownLines.map(({ depth }) => depth));
  const parts = shownLines.flatMap((shownLine, offset) => {
    const text = shownLine.name + shownLine.text;
    return ["  ".repeat(shownLine.depth - minDepth), first + offset === index ? make("mark", {}, text) : text, "\n"];
  });
  return [
    make("h2", {}, "Schema"),
    make(
      "pre",
      { tabindex: "0", role: "region", "aria-label": "The assertion in its schema, marked", dir: "ltr" },
      ...parts,
    ),
    make(
      "p",
      {},
      make("a", { href: hashOf("schema", { protocol: group.name, schema: id, at: site }) }, "In the whole schema"),
    ),
  ];
}
