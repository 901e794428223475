import { expect, it } from "vitest";
import type { Json, Observation } from "../../../schemas/index.ts";
import type { Read } from "./http-exchange.ts";
import { firstStages, laterStages, readBy, readExchange } from "./reading.ts";
import { conditionOf } from "./refused-when.ts";

function observe(
  status: number,
  body: Json,
  named: string[],
  refusedWhen = [] as Parameters<typeof conditionOf>[0][],
  text = "{}",
): Observation | undefined {
  const described = {
    answers: [],
    rule: "A-ANSWER-001",
    credentials: [],
    statuses: { rule: "A-STATUS-001", named: named.map((each) => ({ status: each, types: [] })) },
  };
  const exchange = {
    question: { document: { name: "a" }, keep: [], text },
    route: { method: "POST", path: "/a", described },
    http: { accepted: [], rejected: [{ status: [400, 422] }] },
    response: { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    isSealed: false,
    refusedWhen: refusedWhen.map(conditionOf),
  } as unknown as Read;
  return readBy([...firstStages, ...laterStages], readExchange(exchange));
}

it.each<[Json, string]>([
  [{ ok: false, error: "x" }, 'refusedWhen: { equal: { "/ok": false } }'],
  [{ success: false }, '"/success": false'],
  [{ status: "error", message: "no" }, '"/status": "error"'],
  [{ errors: ["no"] }, 'refusedWhen: { present: "/errors" }'],
  [{ error: { code: 1 } }, '"/error"'],
])("a success that reports an error says nothing if no refusals are documented: %j", (body, setting) => {
  expect(observe(200, body, ["200"])).toMatchObject({ kind: "declined", why: expect.stringContaining(setting) });
  for (const status of ["400", "4XX", "default"])
    expect(observe(200, body, ["200", status])).toMatchObject({ verdict: "accepted" });
});

it.each<[Json]>([[{ ok: true }], [{ errors: [] }], [{ error: null }], [{ status: "open" }], [["error"]]])(
  "any other success accepts: %j",
  (body) => expect(observe(200, body, ["200"])).toMatchObject({ verdict: "accepted" }),
);

it("an answer refuses if the configuration says so", () => {
  const conditions = [{ equal: { "/ok": false } }, { status: [404] }, { present: "/errors" }];
  expect(observe(200, { ok: false }, ["200", "400"], conditions)).toMatchObject({ verdict: "rejected" });
  expect(observe(200, { errors: [] }, ["200"], conditions)).toMatchObject({ verdict: "rejected" });
  expect(observe(404, {}, ["200"], conditions)).toMatchObject({ verdict: "rejected" });
  expect(observe(200, { ok: true }, ["200"], conditions)).toMatchObject({ verdict: "accepted" });
});

it("207 accepts valid messages, and says nothing about invalid ones", () => {
  expect(observe(207, [{ status: 400 }], ["207"])).toMatchObject({ kind: "remembered" });
});

it("a server failure shows nothing if the text is deeply nested, and is reported for any other text", () => {
  const levels = (count: number): string => `{"a":${"[".repeat(count)}${"]".repeat(count)}}`;
  expect(observe(500, {}, ["200"], [], levels(1000))).toMatchObject({ kind: "declined" });
  expect(observe(500, {}, ["200"], [], levels(100))).toMatchObject({ kind: "unavailable" });
  expect(observe(500, {}, ["200"], [], `[${"{},".repeat(1000)}{}]`)).toMatchObject({ kind: "unavailable" });
});
