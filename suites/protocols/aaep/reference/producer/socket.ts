import { createServer } from "node:net";
import { join } from "node:path";
import { scratch } from "../../../../base/process/scratch.ts";
import { frameMessage, messagesIn } from "../../scenarios/subscribing/frames.ts";
import { channelOf } from "./channel.ts";
import type { IsWhole, Producer } from "./model.ts";

/** Also serves a producer on a Unix socket, by lines; each client of the socket is the first known caller. */
export async function listenOnSocket(
  producer: Producer,
  isWhole: IsWhole,
): Promise<{ path: string; close(): Promise<void> }> {
  const { folder, clear } = scratch();
  const path = join(folder, "harbour-desk.sock");
  const [principal] = producer.principals.values();
  const server = createServer((socket) => {
    const outlet = {
      send: (message: object) =>
        void socket.write(producer.policy.inSocket(frameMessage("lines", JSON.stringify(message)))),
      end: () => void socket.end(),
    };
    const channel = channelOf(producer, isWhole, principal, outlet);
    socket.on("data", messagesIn("lines", channel.take));
    socket.on("error", () => {});
    socket.on("close", channel.gone);
    open.add(socket);
  });
  const open = new Set<{ destroy(): void }>();
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(path, done);
  });
  return {
    path,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
      clear();
    },
  };
}
