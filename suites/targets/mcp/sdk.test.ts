import { describe, expect, it } from "vitest";
import { withSdk } from "./sdk.ts";

const failImport = (name: string): Promise<never> =>
  Promise.reject(Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" }));

describe("an optional package", () => {
  it("is requested if it is missing, unlike any other package", async () => {
    await expect(withSdk(() => failImport("@modelcontextprotocol/sdk"))).rejects.toMatchObject({
      kind: "usage",
      hint: "npm install --save-dev @modelcontextprotocol/sdk@1",
    });
    await expect(withSdk(() => failImport("other"))).rejects.toThrow("Cannot find package 'other'");
    expect(await withSdk(async () => 1)).toBe(1);
  });
});
