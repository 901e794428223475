import { expect, it } from "vitest";
import { kebab, kebabWithCapitals } from "./kebab-case.ts";

it("puts one separator between words, regardless of the original separators", () => {
  const path = "/issues/export/{repo_name}-issues-{task_id}.zip";
  expect(kebab(path)).toBe("issues-export-repo-name-issues-task-id-zip");
  expect(kebab(path, { keepDots: true })).toBe("issues-export-repo-name-issues-task-id.zip");
  expect(kebab("a.-.b..c", { keepDots: true })).toBe("a.b.c");
  expect(kebab("a.-.b..c")).toBe("a-b-c");
  expect(kebab("1.-")).toBe("");
});

it("keeps a word in capitals together", () => {
  expect(kebabWithCapitals("A2AError")).toBe("a2a-error");
  expect(kebabWithCapitals("JSONRPCError")).toBe("jsonrpc-error");
});
