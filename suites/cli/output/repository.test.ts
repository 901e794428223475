import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pathInRepository } from "./repository.ts";

let folder = "";
beforeEach(() => {
  vi.stubEnv("GITHUB_WORKSPACE", undefined);
  folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
  mkdirSync(join(folder, "api", "order"), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("makes a path relative to the root of the repository, or to the working directory outside a repository", () => {
  vi.spyOn(process, "cwd").mockReturnValue(join(folder, "api"));
  expect(pathInRepository(join(folder, "api", "order", "a.json"))).toBe("order/a.json");
  mkdirSync(join(folder, ".git"));
  expect(pathInRepository(join(folder, "api", "order", "a.json"))).toBe("api/order/a.json");
  expect(pathInRepository(join(folder, "..", "a.json"))).toBeUndefined();
});

it("makes a path relative to the workspace of GitHub if there is no repository", () => {
  vi.spyOn(process, "cwd").mockReturnValue(join(folder, "api"));
  vi.stubEnv("GITHUB_WORKSPACE", folder);
  expect(pathInRepository(join(folder, "api", "order", "a.json"))).toBe("api/order/a.json");
  for (const workspace of [join(folder, "ap"), join(folder, "none"), ""]) {
    vi.stubEnv("GITHUB_WORKSPACE", workspace);
    expect(pathInRepository(join(folder, "api", "order", "a.json"))).toBe("order/a.json");
  }
});
