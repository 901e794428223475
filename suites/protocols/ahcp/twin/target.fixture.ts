import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerLines, type JudgeText, judgingTarget, claims as known } from "../../../packs/twins/target.fixture.ts";
import { twin } from "./twin.ts";

/** The twin as a module, and as a command when run as a program. */
export const text = true;
export const claims: readonly string[] = known;
const judge: JudgeText = judgingTarget(twin);
export default judge;

/** The twin over HTTP, as in this protocol: a submission is acknowledged, or refused with an error. */
export async function startTarget(): Promise<{ url: string; close(): void }> {
  let taken = 0;
  let url = "";
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const refuse = (status: number, code: string, message: string): void =>
      answer(status, { error: { code, message } });
    if (request.method !== "POST" || request.url !== "/v1/messages") return refuse(404, "not_found", "nothing is here");
    const { valid, errors: [error] = [] } = await judge(Buffer.concat(parts), { document: "message" });
    if (!valid) return refuse(400, "validation_error", error?.message ?? "it is not valid");
    taken += 1;
    const { type } = JSON.parse(
      Buffer.concat(parts)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
    ) as { type: string };
    const status = type === "notify" ? "delivered" : "open";
    answer(202, { id: `msg_${taken}`, status, poll_url: `${url}/v1/messages/msg_${taken}` });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}

if (process.argv[2] === "serve") await answerLines(twin);
