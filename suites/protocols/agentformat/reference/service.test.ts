import { beforeAll, describe, expect, it } from "vitest";
import { documentNamed, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { createApp } from "../../../packs/reference/app.ts";
import { service } from "./service.ts";

const yaml = `
schema_version: "1.0.0"
metadata: { id: on, name: Word Counter, version: "1.0.0", description: Counts the words of a text. }
interface: { input: { type: string }, output: { type: integer } }
execution_policy:
  id: agf.react
  config: { instructions: Count the words., model: small-1 }
`;

const protocol = await ruled(protocolNamed("agentformat"));

describe("the AgentFormat validator", () => {
  let validator: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    validator = await createApp(protocol, service);
  });
  async function post(body: string, type = "application/yaml", path = "/validate") {
    const answer = await validator(
      new Request(`http://v.test${path}`, { method: "POST", headers: { "Content-Type": type }, body }),
    );
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  it("accepts every sample", async () => {
    for (const sample of documentNamed(protocol, "agent").samples ?? []) {
      expect(await post(JSON.stringify(sample), "application/json")).toEqual({ status: 200, body: { valid: true } });
    }
  });

  it("reads `on` as a string and 1.0 as a number in YAML", async () => {
    expect(await post(yaml)).toEqual({ status: 200, body: { valid: true } });
    const { status, body } = await post(yaml.replace('version: "1.0.0", d', "version: 1.0, d"));
    expect([status, body.errors[0]]).toMatchObject([
      422,
      { at: "/metadata/version", keyword: "type", rule: "AGF-META-003" },
    ]);
    expect(body.errors).toHaveLength(1);
  });

  it("returns the location and rule of each error, at both endpoints", async () => {
    const brokenYaml = yaml.replace("agf.react", "agf.batch").replace('"1.0.0"', '"1.0"');
    const { status, body } = await post(brokenYaml);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual(
      expect.objectContaining({ at: "/schema_version", keyword: "pattern", rule: "AGF-DOC-002" }),
    );
    expect(body.errors.map(({ at }: { at: string }) => at)).toContain("/execution_policy/config");
    expect((await post(brokenYaml, undefined, "/documents/agent")).body).toEqual(body);
  });

  it("refuses an unreadable document with 400", async () => {
    expect((await post(`${yaml}\nschema_version: "1.0.0"`)).status).toBe(400);
    expect((await post("{", "application/json")).status).toBe(400);
    expect((await post(yaml, "application/json")).status).toBe(400);
  });
});
