import { beforeAll, describe, expect, it } from "vitest";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { createApp } from "../../../packs/reference/app.ts";
import { service } from "./service.ts";

const notify = {
  ahcp_version: "0.3",
  type: "notify",
  created_at: "2026-01-15T09:30:00Z",
  agent: { id: "a", run_id: "r", runtime: "cli" },
  title: "Done",
};

const protocol = await ruled(protocolNamed("ahcp"));

describe("the AHCP hub", () => {
  let hub: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    hub = await createApp(protocol, service);
  });
  async function post(path: string, body: Json | string) {
    const answer = await hub(
      new Request(`http://hub.test${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json; charset=utf-8" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  it("accepts every sample, and returns a valid acknowledgment", async () => {
    for (const sample of protocol.profile.documents.find(({ name }) => name === "message")?.samples ?? []) {
      const answer = await post("/v1/messages", sample);
      expect(answer.status).toBe(202);
      const ack = answer.body;
      expect(ack.status).toBe((sample as typeof notify).type === "notify" ? "delivered" : "open");
      expect(ack.poll_url).toBe(`http://hub.test/v1/messages/${ack.id}`);
      expect((await post("/documents/submit-ack", ack)).body).toEqual({ valid: true });
    }
  });

  it.each<[string, Json | string, string, RegExp]>([
    [
      "a missing title",
      { ...notify, title: undefined } as unknown as Json,
      "validation_error",
      /^the document .*'title' \(AHCP-/,
    ],
    [
      "an empty title",
      { ...notify, title: "" },
      "validation_error",
      /^\/title .*fewer than 1 char.* \(AHCP-ENV-007\)$/,
    ],
    [
      "an invalid date",
      { ...notify, created_at: "2026-02-30T00:00:00Z" },
      "validation_error",
      /^\/created_at .* \(AHCP-ENV-003\)$/,
    ],
    ["a request in a notify", { ...notify, request: { mode: "confirm" } }, "validation_error", /\(AHCP-/],
    [
      "a different major version",
      { ...notify, ahcp_version: "10.0", title: "" },
      "version_not_supported",
      /"10\.0" \(AHCP-VER-002\)$/,
    ],
    ["a version with a leading zero", { ...notify, ahcp_version: "01.0" }, "validation_error", /AHCP-VER-001/],
    ["a version of three numbers", { ...notify, ahcp_version: "1.0.0" }, "validation_error", /AHCP-VER-001/],
    ["null", null, "validation_error", /must be object/],
    ["a truncated body", '{"ahcp_version":"0.3"', "validation_error", /the document /],
    ["a repeated name", '{"type":"notify","type":"ask"}', "validation_error", /repeats the member name "type"/],
    ["NaN", '{"a":NaN}', "validation_error", /NaN|JSON/],
  ])("refuses %s with 400", async (_, body, code, message) => {
    const answer = await post("/v1/messages", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: { code, message: expect.stringMatching(message) } });
  });

  it("accepts any minor version and unknown members", async () => {
    expect(
      (await post("/v1/messages", { ...notify, ahcp_version: "0.42", agent: { ...notify.agent, more: 1 }, more: 1 }))
        .status,
    ).toBe(202);
  });

  it("publishes a valid capability document", async () => {
    const answer = await hub(new Request("http://hub.test/.well-known/ahcp"));
    const document = JSON.parse(await answer.text());
    expect(document.ahcp_version).toBe("0.3");
    expect((await post("/documents/capability", document)).status).toBe(200);
  });
});
