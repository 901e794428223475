import fc from "fast-check";
import { expect, it } from "vitest";
import { readJson } from "./text.ts";

const pieces = fc.constantFrom(
  ..."{}[],:\"\\ \n\t/-+.eE019tfnu'",
  "true",
  "null",
  '"a"',
  '"\\u00e9"',
  '"b":',
  "1e5",
  "[]",
  "{}",
);

function spliceText(text: string, at: number, cut: number, piece: string): string {
  const index = at % (text.length + 1);
  return text.slice(0, index) + piece + text.slice(index + cut);
}

it("reads the same values as JSON.parse, but also refuses repeated names and unpaired surrogates", () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(2), pieces), { maxLength: 3 });
  const texts = fc
    .tuple(fc.json({ maxDepth: 4 }), edits)
    .map(([text, editList]) => editList.reduce((edited, edit) => spliceText(edited, ...edit), text));
  fc.assert(
    fc.property(
      fc.oneof(
        texts,
        fc.array(pieces, { maxLength: 12 }).map((list) => list.join("")),
      ),
      (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(() => readJson(text, "x.json")).toThrow(/^x\.json:\d+:\d+: /);
          return;
        }
        try {
          expect(readJson(text, "x.json").value).toEqual(value);
        } catch (error) {
          expect(String(error)).toMatch(/repeats the member name|half a surrogate pair/);
        }
      },
    ),
    { numRuns: 5000 },
  );
});

it("finds the place of every value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const { locate } = readJson(text, "x.json");
      const lines = text.split("\n");
      const check = (part: unknown, pointer: string): void => {
        const { line, column } = locate(pointer);
        const rest = [lines[line - 1]?.slice(column - 1), ...lines.slice(line)].join("\n");
        const firstLine = JSON.stringify(part, null, space).split("\n")[0] as string;
        expect(rest.startsWith(firstLine)).toBe(true);
        if (typeof part !== "object" || part === null) return;
        for (const [name, member] of Object.entries(part)) {
          check(member, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
        }
      };
      check(value, "");
    }),
    { numRuns: 500 },
  );
});
