import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { escapeInvisible } from "./escape.ts";
import { codeMarkup, codeTag, plainMarkup, proseMarkup } from "./markup.ts";

/** As GitHub reads it, without what HTML would do. */
function read(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

function asHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return escapeInvisible(text).replace(/[&<>"]/g, (character) => entities[character] as string);
}

/** Text with much in it that is markup. */
const hostile = fc.string({
  unit: fc.oneof(fc.constantFrom(..."`\\|<>*_[]()!#-$&;@ ~\n", "``", "<b>", "](x)", "https://x.y"), fc.string()),
  maxLength: 30,
});

it("code with any markup in it is only code, and ends at its own end", () => {
  fc.assert(
    fc.property(hostile, hostile, (text, after) => {
      const shown = read(`- id ${codeMarkup(text)} ${plainMarkup(`|${after}`)}`);
      if (escapeInvisible(text).trim() === "") return;
      expect(shown).toContain(`<li>id <code>${asHtml(text)}</code> |`);
      expect(shown.split(/<(?!\/?(?:ul|li|code)>)/)).toHaveLength(1);
    }),
  );
});

it("is one cell of a table as a tag", () => {
  const table = read(`| a | b |\n|---|---|\n| ${codeTag("x | `y` \\| <b>")} | 1 |`);
  expect(table.match(/<td>/g)).toHaveLength(2);
  expect(table).not.toContain("<b>");
});

it("has the code in a sentence as code, and its other backticks as they are", () => {
  expect(read(proseMarkup("the member `a_b*` is *missing*, ` and ``x`` stay"))).toBe(
    "<p>the member <code>a_b*</code> is *missing*, ` and ``x`` stay</p>",
  );
  fc.assert(
    fc.property(hostile, (text) => {
      expect(read(`- ${proseMarkup(`x${text}`)}`).split(/<(?!\/?(?:ul|li|code)>)/)).toHaveLength(1);
    }),
  );
});
