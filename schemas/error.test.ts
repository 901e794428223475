import { describe, expect, it } from "vitest";
import { exitCodes, TouchstoneError } from "./error.ts";

describe("TouchstoneError", () => {
  it("contains the place, the problem and a remedy", () => {
    const cause = new Error("ENOENT");
    const error = new TouchstoneError("usage", 'the file "a" does not exist', {
      where: "config.json",
      hint: "name one",
      cause,
    });
    expect(error.message).toBe('config.json: the file "a" does not exist\n  name one');
    expect(error).toMatchObject({
      name: "TouchstoneError",
      kind: "usage",
      where: "config.json",
      hint: "name one",
      cause,
    });
    expect(error).toBeInstanceOf(Error);
  });

  it("has no cause unless one is given", () => {
    const error = new TouchstoneError("internal", "broken");
    expect(error.message).toBe("broken");
    expect("cause" in error).toBe(false);
  });

  it.each([
    ["violations", 1],
    ["usage", 2],
    ["target", 3],
    ["internal", 4],
  ] as const)("of kind %s has exit code %i", (kind, code) => {
    expect(new TouchstoneError(kind, "").exitCode).toBe(code);
    expect(exitCodes[kind]).toBe(code);
  });
});
