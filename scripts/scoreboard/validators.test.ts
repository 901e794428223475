import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { home } from "../../schemas/index.ts";
import { targetOf } from "./ask.ts";
import { validators } from "./validators.ts";

// The modules must be below the folder with the packages that they import.
mkdirSync(join(home, "node_modules", ".cache"), { recursive: true });
const folder = mkdtempSync(join(home, "node_modules", ".cache", "validators-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { resolve } = createRequire(import.meta.url);
const isInstalled = (name: string): boolean => {
  try {
    return resolve(name.slice(0, name.lastIndexOf("@"))) !== "";
  } catch {
    return false;
  }
};

describe("a validator of the scoreboard", () => {
  const installed = validators.flatMap((validator, index) =>
    validator.module !== undefined && validator.packages?.every(isInstalled) === true ? [{ ...validator, index }] : [],
  );

  it.each(installed)("judges a valid and an invalid instance correctly: $name", async ({ index, ...validator }) => {
    const target = targetOf(validator, folder, index);
    if (target.kind !== "module") throw new Error("it is no module");
    const { default: judge } = await import(pathToFileURL(target.file).href);
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.org/n",
      type: "integer",
    };
    const context = { schema: schema.$id, schemas: [schema] };
    expect([await judge(1, context), await judge("1", context)]).toEqual([true, false]);
  });

  it("is tested if it is among the packages of this repository, like Ajv and Hyperjump", () => {
    expect(installed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ajv, ajv-formats", "ajv, strict", "ajv, no formats", "@hyperjump/json-schema"]),
    );
  });
});
