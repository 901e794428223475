import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { type Capability, capabilities, type Twin } from "../../../schemas/index.ts";

/** The capabilities that the twin claims as a target: all of them. */
export const claims: readonly Capability[] = Object.keys(capabilities) as Capability[];

const isStrict = (): boolean => process.env.TOUCHSTONE_TWIN !== "lenient";

export interface TwinRequest {
  document: string;
  yaml?: true;
}

export interface TwinAnswer {
  valid: boolean;
  errors?: { message: string }[];
}

export type JudgeText = (text: string | Uint8Array, request: TwinRequest) => Promise<TwinAnswer>;

/** The twin as a module that judges texts. The environment says whether it is strict, because it may run in a separate process. */
export function judgingTarget(twin: Twin): JudgeText {
  return async (text, { document, yaml }) => {
    const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
    const why = await twin.judge({ document, text: bytes, ...(yaml === true ? { yaml } : {}) }, isStrict);
    return why === undefined ? { valid: true } : { valid: false, errors: [{ message: why }] };
  };
}

/** The twin as a command: answers lines until it is told to stop. */
export async function answerLines(twin: Twin): Promise<void> {
  const writeLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    const { command, seq, data, text, base64, ...request } = JSON.parse(line);
    if (command === "stop") break;
    if (command === "hello") writeLine({ ready: true, name: "twin", claims });
    else {
      const source = base64 === undefined ? (text ?? JSON.stringify(data)) : Buffer.from(base64, "base64");
      writeLine({ seq, ...(await judgingTarget(twin)(source, request)) });
    }
  }
}

/** The twin as a server: judges each posted body as the document with this name. */
export async function serveTwin(twin: Twin, document: string): Promise<{ url: string; close(): void }> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const yaml = /yaml/.test(request.headers["content-type"] ?? "") ? { yaml: true as const } : {};
    const verdict = await judgingTarget(twin)(Buffer.concat(chunks), { document, ...yaml });
    response.writeHead(verdict.valid ? 200 : 422, { "content-type": "application/json" }).end(JSON.stringify(verdict));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
