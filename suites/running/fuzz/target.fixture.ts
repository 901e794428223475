import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Json, Question, Target } from "../../../schemas/index.ts";

/** For tests: a target with scripted answers, and the questions that it received. */
export function answeringTarget(
  answer: (question: Question) => Answer | Promise<Answer>,
): Target & { asked: { document: string; data: Json | undefined }[] } {
  const asked: { document: string; data: Json | undefined }[] = [];
  return {
    kind: "module",
    name: "told",
    claims: undefined,
    concurrency: 8,
    asked,
    open: async () => {},
    close: async () => {},
    skips: () => undefined,
    async check(question) {
      asked.push({ document: question.document.name, data: question.data });
      return answer(question);
    },
  };
}

/** For tests: servers that fail for every request, each in another way. */
export const breakdowns: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "closes the connection at once": (response) => response.destroy(),
  hangs: () => {},
  fails: (response) => response.writeHead(500).end("oh"),
  "does not speak HTTP": (response) => void response.socket?.end("\u0000\u0001 garbage\r\n\r\n"),
  "promises JSON and sends none": (response) =>
    response.writeHead(202, { "content-type": "application/json" }).end("{oh"),
  "disconnects within its answer": (response) => {
    response.writeHead(202, { "content-length": "100" }).write('{"id":');
    setTimeout(() => response.destroy(), 5);
  },
  "never stops sending": (response) => {
    const writeMore = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.writeHead(202).on("drain", writeMore);
    writeMore();
  },
};

/** For tests: a server on the loopback interface that answers every request with `respond`. */
export async function brokenServer(
  respond: (response: ServerResponse) => void,
): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on("end", () => respond(response));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
