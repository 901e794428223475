import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { type Capability, capabilities, type Twin } from "../../../schemas/index.ts";

/** A correct implementation as a module, a command or a server. The environment says whether it is strict, since it may be a separate process. */
export const claims: readonly Capability[] = Object.keys(capabilities) as Capability[];

const isStrict = (): boolean => process.env.TOUCHSTONE_TWIN !== "lenient";

export interface Asked {
  document: string;
  yaml?: true;
}

export interface Said {
  valid: boolean;
  errors?: { message: string }[];
}

export type Judging = (text: string | Uint8Array, asked: Asked) => Promise<Said>;

/** As a module that accepts texts. */
export function judgingTarget(twin: Twin): Judging {
  return async (text, { document, yaml }) => {
    const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
    const why = await twin.judge({ document, text: bytes, ...(yaml === true ? { yaml } : {}) }, isStrict);
    return why === undefined ? { valid: true } : { valid: false, errors: [{ message: why }] };
  };
}

/** As a command: answers lines until it is stopped. */
export async function answerLines(twin: Twin): Promise<void> {
  const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    const { command, seq, data, text, base64, ...asked } = JSON.parse(line);
    if (command === "stop") break;
    if (command === "hello") say({ ready: true, name: "twin", claims });
    else {
      const given = base64 === undefined ? (text ?? JSON.stringify(data)) : Buffer.from(base64, "base64");
      say({ seq, ...(await judgingTarget(twin)(given, asked)) });
    }
  }
}

/** As a server: judges each posted body as a document of this name. */
export async function serveTwin(twin: Twin, document: string): Promise<{ url: string; close(): void }> {
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const yaml = /yaml/.test(request.headers["content-type"] ?? "") ? { yaml: true as const } : {};
    const said = await judgingTarget(twin)(Buffer.concat(parts), { document, ...yaml });
    response.writeHead(said.valid ? 200 : 422, { "content-type": "application/json" }).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
