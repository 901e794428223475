import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerLines, type JudgeText, judgingTarget, claims as known } from "../../../packs/twins/target.fixture.ts";
import { twin } from "./twin.ts";

/** The twin as a module, and as a command when run as a program. */
export const text = true;
export const claims: readonly string[] = known;
const judge: JudgeText = judgingTarget(twin);
export default judge;

/** Serves the twin over HTTP as a hub that acknowledges or refuses submissions. */
export async function startTarget(): Promise<{ url: string; close(): void }> {
  let messageCount = 0;
  let url = "";
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const refuse = (status: number, code: string, message: string): void =>
      answer(status, { error: { code, message } });
    if (request.method !== "POST" || request.url !== "/v1/messages") return refuse(404, "not_found", "nothing is here");
    const { valid, errors: [error] = [] } = await judge(Buffer.concat(chunks), { document: "message" });
    if (!valid) return refuse(400, "validation_error", error?.message ?? "the message is invalid");
    messageCount += 1;
    const { type } = JSON.parse(
      Buffer.concat(chunks)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
    ) as { type: string };
    const status = type === "notify" ? "delivered" : "open";
    answer(202, { id: `msg_${messageCount}`, status, poll_url: `${url}/v1/messages/msg_${messageCount}` });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}

if (process.argv[2] === "serve") await answerLines(twin);
