import { expect, it } from "vitest";
import type { Inbox } from "./inbox.ts";
import { keptOpen } from "./reconnection.ts";

/** An inbox, the connections made for it, and a clock; these statuses answer the later connections. */
function played(...statuses: number[]) {
  const told: string[] = [];
  const connections: Inbox[] = [];
  let [time, isExpected] = [0, false];
  const inbox = {
    push: (text: string) => void told.push(text),
    end: () => void told.push("(over)"),
    isEndExpected: () => isExpected,
  } as unknown as Inbox;
  const ask = (to: Inbox) => {
    connections.push(to);
    return { answered: Promise.resolve(statuses[connections.length - 2] ?? 200), destroy: () => to.end() };
  };
  const stream = keptOpen(inbox, ask, () => time);
  const end = (after: number): void => {
    time += after;
    connections.at(-1)?.end();
  };
  const expectEnd = (): void => {
    isExpected = true;
  };
  return { told, connections, stream, end, expectEnd };
}

it("opens an idle connection again whenever it ends", () => {
  const { told, connections, end } = played();
  for (let count = 0; count < 10; count++) end(50);
  expect(connections.length).toBe(11);
  connections.at(-1)?.push("event");
  expect(told).toEqual(["event"]);
});

const ends: readonly [what: string, act: (given: ReturnType<typeof played>) => void][] = [
  ["that ended at once three times", ({ end }) => [1, 1, 1].forEach(end)],
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

it.each(ends)("a connection %s is over", (_, act) => {
  const given = played();
  act(given);
  expect(given.told.at(-1)).toBe("(over)");
});

it("a connection that is refused when it is opened again is over", async () => {
  const { told, end } = played(404);
  end(50);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual(["(over)"]);
});

it("opens a connection again that is closed before its answer, but not one that is refused", async () => {
  const failing = (code: string) => {
    let count = 0;
    const ask = () => {
      count += 1;
      const cause = Object.assign(new Error("other side closed"), { code });
      const answered = count < 3 ? Promise.reject(new Error("no stream", { cause })) : Promise.resolve(200);
      return { answered, destroy: () => {} };
    };
    return keptOpen({ isEndExpected: () => false, end: () => {} } as unknown as Inbox, ask).answered;
  };
  expect(await failing("UND_ERR_SOCKET")).toBe(200);
  await expect(failing("ECONNREFUSED")).rejects.toThrow("no stream");
});
