import { expect, it } from "vitest";
import type { Inbox } from "./inbox.ts";
import { keepOpen } from "./reconnection.ts";

/** Opens a stream with a fake clock. Reconnections are answered with these statuses. */
function openWith(...statuses: number[]) {
  const messages: string[] = [];
  const connections: Inbox[] = [];
  let [time, isExpected] = [0, false];
  const inbox = {
    push: (text: string) => void messages.push(text),
    end: () => void messages.push("(over)"),
    isEndExpected: () => isExpected,
  } as unknown as Inbox;
  const requestStream = (connectionInbox: Inbox) => {
    connections.push(connectionInbox);
    return { status: Promise.resolve(statuses[connections.length - 2] ?? 200), destroy: () => connectionInbox.end() };
  };
  const stream = keepOpen(inbox, requestStream, () => time);
  const end = (milliseconds: number): void => {
    time += milliseconds;
    connections.at(-1)?.end();
  };
  const expectEnd = (): void => {
    isExpected = true;
  };
  return { messages, connections, stream, end, expectEnd };
}

it("reopens an idle connection whenever it ends", () => {
  const { messages, connections, end } = openWith();
  for (let count = 0; count < 10; count++) end(50);
  expect(connections.length).toBe(11);
  connections.at(-1)?.push("event");
  expect(messages).toEqual(["event"]);
});

const endings: readonly [ending: string, endStream: (openedStream: ReturnType<typeof openWith>) => void][] = [
  ["that ended immediately three times", ({ end }) => [1, 1, 1].forEach(end)],
  [
    "with an event before its end",
    ({ connections, end }) => {
      connections[0]?.push("event");
      end(50);
    },
  ],
  ["that is cut", ({ stream }) => stream.destroy()],
  [
    "with an expected end",
    ({ expectEnd, end }) => {
      expectEnd();
      end(50);
    },
  ],
];

it.each(endings)("does not reopen a connection %s", (_, endStream) => {
  const opened = openWith();
  endStream(opened);
  expect(opened.messages.at(-1)).toBe("(over)");
});

it("stops if a reopened connection is refused", async () => {
  const { messages, end } = openWith(404);
  end(50);
  await new Promise((resolve) => setImmediate(resolve));
  expect(messages).toEqual(["(over)"]);
});

it("reopens a connection that is closed before its answer, but not a refused one", async () => {
  const openFailing = (code: string) => {
    let count = 0;
    const requestStream = () => {
      count += 1;
      const cause = Object.assign(new Error("other side closed"), { code });
      const status = count < 3 ? Promise.reject(new Error("no stream", { cause })) : Promise.resolve(200);
      return { status, destroy: () => {} };
    };
    return keepOpen({ isEndExpected: () => false, end: () => {} } as unknown as Inbox, requestStream).status;
  };
  expect(await openFailing("UND_ERR_SOCKET")).toBe(200);
  await expect(openFailing("ECONNREFUSED")).rejects.toThrow("no stream");
});
