import { expect, it } from "vitest";
import { documentNamed, type Json, protocolNamed, type Service } from "../../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { ruled } from "../pack/load.ts";
import { createApp } from "./app.ts";

const protocol = protocolNamed("ahcp");
const message = documentNamed(protocol, "message");
/** A message that is accepted with a warning. */
const advised = loadVectors(protocol)
  .files.filter(({ document }) => document === "message")
  .flatMap(({ tests }) => tests)
  .find(({ level, site, data }) => level === "SHOULD" && site === undefined && data !== undefined)?.data as Json;

it("does not mix up the warnings of two messages", async () => {
  const waiting: (() => void)[] = [];
  /** Waits, and judges another message meanwhile. */
  const service: Service = {
    protocol: "ahcp",
    media: ["application/json"],
    routes(app, { judge, intake }) {
      app.post(
        "/slow",
        intake({
          judge: () => ({ advice: [] }),
          async accepted() {
            await new Promise<void>((done) => waiting.push(done));
            judge(message, advised);
            return Response.json({});
          },
          refused: () => Response.json({}, { status: 400 }),
        }),
      );
    },
  };
  const app = await createApp(await ruled(protocol), service);
  const ask = (path: string, body: Json): Promise<Response> => {
    const headers = { "Content-Type": "application/json" };
    return app(new Request(`http://hub.test${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  };
  const warnings = ({ headers }: Response): string | null => headers.get("touchstone-warnings");
  expect(warnings(await ask("/documents/message", advised))).toContain('"rule"');
  const both = [ask("/slow", {}), ask("/slow", {})];
  while (waiting.length < 2) await new Promise((done) => setTimeout(done, 1));
  for (const go of waiting) go();
  expect((await Promise.all(both)).map(warnings)).toEqual([null, null]);
});
