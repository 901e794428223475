import { beforeAll, describe, expect, it } from "vitest";
import { documentNamed, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { createApp } from "../../../packs/reference/app.ts";
import { service } from "./service.ts";

const protocol = await ruled(protocolNamed("agent-conventions"));

describe("the validator of agent messages", () => {
  let validator: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    validator = await createApp(protocol, service);
  });
  async function post(body: string, type = "application/json") {
    const answer = await validator(
      new Request("http://v.test/validate", { method: "POST", headers: { "Content-Type": type }, body }),
    );
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
  const task = documentNamed(protocol, "task").samples?.[0] as JsonObject;

  it("accepts every sample", async () => {
    for (const sample of protocol.profile.documents.flatMap(({ samples = [] }) => samples)) {
      expect(await post(JSON.stringify(sample))).toEqual({ status: 200, body: { valid: true } });
    }
  });

  it("reads YAML, with timestamps as strings", async () => {
    const yaml = Object.entries({ ...task, task: "{ priority: high }" }).map(([name, value]) => `${name}: ${value}`);
    expect(await post(yaml.join("\n"), "application/yaml")).toEqual({ status: 200, body: { valid: true } });
  });

  it.each<[string, unknown, object]>([
    [
      "a member of another category",
      { ...task, status: "ready" },
      { at: "", keyword: "additionalProperties", rule: "CONV-BASE-007" },
    ],
    [
      "a type that its category does not have",
      { ...task, message_type: "task.dance" },
      { at: "/message_type", keyword: "enum", rule: "CONV-BASE-005" },
    ],
    [
      "an unknown category",
      { ...task, message_type: "broadcast.notice" },
      { at: "/message_type", rule: "CONV-BASE-006" },
    ],
    ["a type without a dot", { ...task, message_type: "task" }, { at: "/message_type", rule: "CONV-BASE-006" }],
    [
      "a type that is not a string",
      { ...task, message_type: ["task.update"] },
      { at: "/message_type", rule: "CONV-BASE-006" },
    ],
    ["no type", { ...task, message_type: undefined }, { at: "", keyword: "required", rule: "CONV-BASE-002" }],
    ["prose", "Please write the form.", { at: "", keyword: "type", rule: "CONV-BASE-001" }],
  ])("refuses %s", async (_, value, reason) => {
    const { status, body } = await post(JSON.stringify(value));
    expect([status, body.valid]).toEqual([422, false]);
    expect(body.errors[0]).toMatchObject(reason);
  });
});
