import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { escapeInvisible } from "./escape.ts";
import { codeMarkup, codeTag, plainMarkup, proseMarkup } from "./markup.ts";

/** The HTML of a text in GitHub's Markdown, with tags removed. */
function read(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

function asHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return escapeInvisible(text).replace(/[&<>"]/g, (character) => entities[character] as string);
}

/** Text that contains much markup. */
const hostile = fc.string({
  unit: fc.oneof(fc.constantFrom(..."`\\|<>*_[]()!#-$&;@ ~\n", "``", "<b>", "](x)", "https://x.y"), fc.string()),
  maxLength: 30,
});

it("code that contains markup stays code, and ends in the right place", () => {
  fc.assert(
    fc.property(hostile, hostile, (text, after) => {
      const rendered = read(`- id ${codeMarkup(text)} ${plainMarkup(`|${after}`)}`);
      if (escapeInvisible(text).trim() === "") return;
      expect(rendered).toContain(`<li>id <code>${asHtml(text)}</code> |`);
      expect(rendered.split(/<(?!\/?(?:ul|li|code)>)/)).toHaveLength(1);
    }),
  );
});

it("code in a tag is one cell of a table", () => {
  const table = read(`| a | b |\n|---|---|\n| ${codeTag("x | `y` \\| <b>")} | 1 |`);
  expect(table.match(/<td>/g)).toHaveLength(2);
  expect(table).not.toContain("<b>");
});

it("code in a sentence stays code, and other backticks stay as they are", () => {
  expect(read(proseMarkup("the member `a_b*` is *missing*, ` and ``x`` stay"))).toBe(
    "<p>the member <code>a_b*</code> is *missing*, ` and ``x`` stay</p>",
  );
  fc.assert(
    fc.property(hostile, (text) => {
      expect(read(`- ${proseMarkup(`x${text}`)}`).split(/<(?!\/?(?:ul|li|code)>)/)).toHaveLength(1);
    }),
  );
});
