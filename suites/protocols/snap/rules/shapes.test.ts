import { expect, it } from "vitest";
import { firstSchemaError } from "./shapes.ts";

const part = { text: "hello" };

it("reports the location, the value and the constraint if the schema refuses a value", () => {
  expect(firstSchemaError("types/artifact", { artifactId: "a", parts: [part] })).toBeUndefined();
  expect(firstSchemaError("types/artifact", { artifactId: 7, parts: [part] })).toBe(
    "/artifactId is 7, and must be string",
  );
  expect(firstSchemaError("types/artifact", { parts: [part] })).toBe("must have required property 'artifactId'");
  expect(firstSchemaError("types/artifact", { artifactId: "a", parts: {} })).toBe("/parts must be array");
});

it("truncates a long string", () => {
  const error = firstSchemaError("types/artifact", { artifactId: `${"a".repeat(100)} `, parts: [part] });
  expect(error).toMatch(/^\/artifactId is "a{60}…", and must /);
});
