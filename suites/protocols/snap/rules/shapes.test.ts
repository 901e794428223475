import { expect, it } from "vitest";
import { firstSchemaError } from "./shapes.ts";

const part = { text: "hello" };

it("reports a value that its schema refuses with the place, the value and the demand", () => {
  expect(firstSchemaError("types/artifact", { artifactId: "a", parts: [part] })).toBeUndefined();
  expect(firstSchemaError("types/artifact", { artifactId: 7, parts: [part] })).toBe(
    "/artifactId is 7, and must be string",
  );
  expect(firstSchemaError("types/artifact", { parts: [part] })).toBe("must have required property 'artifactId'");
  expect(firstSchemaError("types/artifact", { artifactId: "a", parts: {} })).toBe("/parts must be array");
});

it("cuts a long text", () => {
  const misfit = firstSchemaError("types/artifact", { artifactId: `${"a".repeat(100)} `, parts: [part] });
  expect(misfit).toMatch(/^\/artifactId is "a{60}…", and must /);
});
