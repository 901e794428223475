import { expect, it } from "vitest";
import { describeChange } from "./change.ts";

it("describes each operation in words", () => {
  expect(
    describeChange([
      { op: "add", path: "/due", value: { at: 1 } },
      { op: "replace", path: "", value: null },
      { op: "remove", path: "/a~1b" },
      { op: "move", from: "/x", path: "/y" },
      { op: "copy", from: "/x", path: "/z" },
      { op: "test", path: "/t", value: "v" },
    ]),
  ).toBe(
    'add /due with {"at":1}; replace the whole document by null; remove /a~1b; move /x to /y; copy /x to /z; require /t to be "v"',
  );
});

it("cuts a long value", () => {
  const description = describeChange([{ op: "replace", path: "/title", value: "x".repeat(100_000) }]);
  expect(description.length).toBeLessThan(200);
  expect(description).toContain("more characters");
});

it("shows only the beginning of long opaque values, such as a signature", () => {
  const description = describeChange([{ op: "replace", path: "/sig", value: "4f".repeat(64) }]);
  expect(description).toBe(`replace /sig by "${"4f".repeat(11)}4… (106 more characters)`);
  const prose = "a b ".repeat(20);
  expect(describeChange([{ op: "replace", path: "/a", value: prose }])).toContain(prose);
});
