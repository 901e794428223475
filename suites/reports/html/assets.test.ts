import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { modules, readScript } from "./assets.ts";

const client = new URL("client/", import.meta.url);
const texts = new Map(
  modules.map((name): [(typeof modules)[number], string] => [
    name,
    readFileSync(new URL(`${name}.js`, client), "utf8"),
  ]),
);

it("includes every module, each after its imports", () => {
  const moduleFiles = readdirSync(client).filter((name) => name.endsWith(".js"));
  expect([...modules].map((name) => `${name}.js`).sort()).toEqual(moduleFiles.sort());
  for (const [name, text] of texts) {
    for (const [, imported] of text.matchAll(/^import [^;]* from "\.\/(.*)\.js";$/gm)) {
      const earlierModules = modules.slice(0, modules.indexOf(name));
      expect(earlierModules, `${name} imports ${imported}`).toContain(imported);
    }
  }
});

it("declares each top-level name only once, because all modules share one scope", () => {
  const names = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("is a single script without closing tags, imports or unsafe calls", () => {
  const text = readScript();
  expect(() => new Function(text)).not.toThrow();
  expect(text).not.toMatch(/<\/script|<!--|^import |^export |innerHTML|insertAdjacentHTML|document\.write|\beval\b/m);
});
