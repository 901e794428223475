import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { longest } from "./sequencer.ts";

it("begins with files that there are", () => {
  expect(longest.filter((path) => !existsSync(join(home, path)))).toEqual([]);
});
