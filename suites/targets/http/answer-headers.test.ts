import { expect, it } from "vitest";
import type { AnswerHeader, Json } from "../../../schemas/index.ts";
import { headerFault } from "./answer-headers.ts";

const described: AnswerHeader[] = [
  { name: "location", types: ["string"], required: true },
  { name: "x-total", types: ["integer"] },
];

function judged(headers: Record<string, string>, of: AnswerHeader[] = described): Json | string | undefined {
  let seen: Json | undefined;
  const fault = headerFault(headers, of, (value) => {
    seen = value;
    return undefined;
  });
  return fault?.reason.message ?? seen;
}

it("reports a missing required header along with any others", () => {
  expect(judged({ "x-total": "1" })).toBe("the header location is missing");
  expect(judged({ "x-total": "1" }, [{ name: "location" }, ...described.slice(1)])).toEqual({ "x-total": 1 });
});

it("reads the text of each header by its types, and does not judge texts that readers interpret differently", () => {
  expect(judged({ location: "/a/1", "x-total": "7" })).toEqual({ location: "/a/1", "x-total": 7 });
  expect(judged({ location: "/a/1", "x-total": "many" })).toEqual({ location: "/a/1", "x-total": "many" });
});

it("leaves out headers with several readings, and judges the others", () => {
  const total = { "x-total": 7 };
  expect(judged({ location: "/a/1", "x-total": "1e3" })).toEqual({ location: "/a/1" });
  const tags: AnswerHeader = { name: "tags", holds: "items", required: true };
  expect(judged({ location: "/a", "x-total": "7", tags: "a,b" }, [tags, ...described])).toEqual({
    ...total,
    location: "/a",
  });
  expect(judged({ "x-total": "7", tags: "a,b" }, [tags, ...described])).toBe("the header location is missing");
});
