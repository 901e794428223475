import { expect, it } from "vitest";
import type { AnswerHeader, Json } from "../../../schemas/index.ts";
import { headerFault } from "./answer-headers.ts";

const described: AnswerHeader[] = [
  { name: "location", types: ["string"], required: true },
  { name: "x-total", types: ["integer"] },
];

function judgeHeaders(
  headers: Record<string, string>,
  headerTypes: AnswerHeader[] = described,
): Json | string | undefined {
  let judgedValue: Json | undefined;
  const fault = headerFault(headers, headerTypes, (value) => {
    judgedValue = value;
    return undefined;
  });
  return fault?.reason.message ?? judgedValue;
}

it("reports a missing required header along with any others", () => {
  expect(judgeHeaders({ "x-total": "1" })).toBe("the header location is missing");
  expect(judgeHeaders({ "x-total": "1" }, [{ name: "location" }, ...described.slice(1)])).toEqual({ "x-total": 1 });
});

it("reads the text of each header by its types, and passes on a text that does not match them", () => {
  expect(judgeHeaders({ location: "/a/1", "x-total": "7" })).toEqual({ location: "/a/1", "x-total": 7 });
  expect(judgeHeaders({ location: "/a/1", "x-total": "many" })).toEqual({ location: "/a/1", "x-total": "many" });
});

it("leaves out headers with several readings, and judges the others", () => {
  const total = { "x-total": 7 };
  expect(judgeHeaders({ location: "/a/1", "x-total": "1e3" })).toEqual({ location: "/a/1" });
  const tags: AnswerHeader = { name: "tags", holds: "items", required: true };
  expect(judgeHeaders({ location: "/a", "x-total": "7", tags: "a,b" }, [tags, ...described])).toEqual({
    ...total,
    location: "/a",
  });
  expect(judgeHeaders({ "x-total": "7", tags: "a,b" }, [tags, ...described])).toBe("the header location is missing");
});
