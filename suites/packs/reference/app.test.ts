import { expect, it } from "vitest";
import { documentNamed, type Json, protocolNamed, type Service } from "../../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { ruled } from "../pack/load.ts";
import { createApp } from "./app.ts";

const protocol = protocolNamed("ahcp");
const message = documentNamed(protocol, "message");
/** A message that is accepted with a warning. */
const messageWithWarning = loadVectors(protocol)
  .files.filter(({ document }) => document === "message")
  .flatMap(({ tests }) => tests)
  .find(({ level, site, data }) => level === "SHOULD" && site === undefined && data !== undefined)?.data as Json;

it("does not mix up the warnings of two messages", async () => {
  const resumes: (() => void)[] = [];
  /** Judges another message while it waits. */
  const service: Service = {
    protocol: "ahcp",
    media: ["application/json"],
    routes(app, { judge, intake }) {
      app.post(
        "/slow",
        intake({
          judge: () => ({ advice: [] }),
          async accepted() {
            await new Promise<void>((done) => resumes.push(done));
            judge(message, messageWithWarning);
            return Response.json({});
          },
          refused: () => Response.json({}, { status: 400 }),
        }),
      );
    },
  };
  const app = await createApp(await ruled(protocol), service);
  const post = (path: string, body: Json): Promise<Response> => {
    const headers = { "Content-Type": "application/json" };
    return app(new Request(`http://hub.test${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  };
  const warningsOf = ({ headers }: Response): string | null => headers.get("touchstone-warnings");
  expect(warningsOf(await post("/documents/message", messageWithWarning))).toContain('"rule"');
  const answers = [post("/slow", {}), post("/slow", {})];
  while (resumes.length < 2) await new Promise((done) => setTimeout(done, 1));
  for (const resume of resumes) resume();
  expect((await Promise.all(answers)).map(warningsOf)).toEqual([null, null]);
});
