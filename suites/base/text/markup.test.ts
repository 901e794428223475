import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { escapeInvisible } from "./escape.ts";
import { codeMarkup, codeTag, plainMarkup, proseMarkup } from "./markup.ts";

/** Renders GitHub's Markdown as HTML. */
function toHtml(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

function escapeForHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return escapeInvisible(text).replace(/[&<>"]/g, (character) => entities[character] as string);
}

/** Text that contains much markup. */
const hostile = fc.string({
  unit: fc.oneof(fc.constantFrom(..."`\\|<>*_[]()!#-$&;@ ~\n", "``", "<b>", "](x)", "https://x.y"), fc.string()),
  maxLength: 30,
});

it("renders code that contains markup as one code span, which ends in the right place", () => {
  fc.assert(
    fc.property(hostile, hostile, (text, after) => {
      const rendered = toHtml(`- id ${codeMarkup(text)} ${plainMarkup(`|${after}`)}`);
      if (escapeInvisible(text).trim() === "") return;
      expect(rendered).toContain(`<li>id <code>${escapeForHtml(text)}</code> |`);
      expect(rendered.split(/<(?!\/?(?:ul|li|code)>)/)).toHaveLength(1);
    }),
  );
});

it("renders code in a tag as a single table cell", () => {
  const table = toHtml(`| a | b |\n|---|---|\n| ${codeTag("x | `y` \\| <b>")} | 1 |`);
  expect(table.match(/<td>/g)).toHaveLength(2);
  expect(table).not.toContain("<b>");
});

it("renders code in a sentence as code, and leaves other backticks alone", () => {
  expect(toHtml(proseMarkup("the member `a_b*` is *missing*, ` and ``x`` stay"))).toBe(
    "<p>the member <code>a_b*</code> is *missing*, ` and ``x`` stay</p>",
  );
  fc.assert(
    fc.property(hostile, (text) => {
      expect(toHtml(`- ${proseMarkup(`x${text}`)}`).split(/<(?!\/?(?:ul|li|code)>)/)).toHaveLength(1);
    }),
  );
});
