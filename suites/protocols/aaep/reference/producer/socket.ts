import { createServer } from "node:net";
import { join } from "node:path";
import { makeScratchFolder } from "../../../../base/process/scratch.ts";
import { frameMessage, splitMessages } from "../../scenarios/subscribing/frames.ts";
import { channelOf } from "./channel.ts";
import type { IsValidDocument, Producer } from "./model.ts";

/** Also serves a producer on a Unix socket, with one message per line. Each client of the socket counts as the first permitted caller. */
export async function listenOnSocket(
  producer: Producer,
  isValid: IsValidDocument,
): Promise<{ path: string; close(): Promise<void> }> {
  const { folder, clear } = makeScratchFolder();
  const path = join(folder, "harbour-desk.sock");
  const [principal] = producer.principals.values();
  const server = createServer((socket) => {
    const outlet = {
      send: (message: object) =>
        void socket.write(producer.policy.changeSocketFrame(frameMessage("lines", JSON.stringify(message)))),
      end: () => void socket.end(),
    };
    const channel = channelOf(producer, isValid, principal, outlet);
    socket.on("data", splitMessages("lines", channel.handle));
    socket.on("error", () => {});
    socket.on("close", channel.onDisconnect);
    openSockets.add(socket);
  });
  const openSockets = new Set<{ destroy(): void }>();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    path,
    async close() {
      for (const socket of openSockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clear();
    },
  };
}
