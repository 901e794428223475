import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Json, Question, Target } from "../../../schemas/index.ts";

/** Creates a target with scripted answers, which records the questions that it receives. */
export function answeringTarget(
  answer: (question: Question) => Answer | Promise<Answer>,
): Target & { receivedQuestions: { document: string; data: Json | undefined }[] } {
  const asked: { document: string; data: Json | undefined }[] = [];
  return {
    kind: "module",
    name: "told",
    claims: undefined,
    concurrency: 8,
    receivedQuestions: asked,
    open: async () => {},
    close: async () => {},
    skips: () => undefined,
    async check(question) {
      asked.push({ document: question.document.name, data: question.data });
      return answer(question);
    },
  };
}

/** Servers that fail for every request, each in a different way. */
export const breakdowns: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "closes the connection immediately": (response) => response.destroy(),
  hangs: () => {},
  fails: (response) => response.writeHead(500).end("oh"),
  "does not speak HTTP": (response) => void response.socket?.end("\u0000\u0001 garbage\r\n\r\n"),
  "announces JSON and sends something else": (response) =>
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

/** Starts a server on the loopback interface that answers every request with `respond`. */
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
