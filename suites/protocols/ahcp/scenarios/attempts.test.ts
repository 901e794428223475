import { describe, expect, it, vi } from "vitest";
import type {
  Arrival,
  Callback,
  HttpReply,
  JsonObject,
  Reaction,
  ScenarioContext,
  ScenarioFinding,
} from "../../../../schemas/index.ts";
import { delivery } from "./delivery.ts";

interface KnownCallback {
  callback: Callback;
  reactions: Reaction[];
}

/**
 * A simulated hub that pauses this long between attempts. Time passes only during waits, and by the hook `clock`. That hook
 * exists only if `exchange` is given, which returns the duration of each exchange in milliseconds.
 */
function hubWith(
  pauses: readonly number[],
  retries = isFailure,
  exchange?: (arrivals: number) => number,
): { context: ScenarioContext; findings: ScenarioFinding[] } {
  const findings: ScenarioFinding[] = [];
  const callbacks = new Map<string, KnownCallback>();
  const messages = new Map<string, { status: string; message: JsonObject }>();
  const duePushes: { at: number; url: string; body: JsonObject }[] = [];
  let [time, freshCount] = [0, 0];

  function deliver({ url, body }: { url: string; body: JsonObject }): void {
    const { callback, reactions } = callbacks.get(url) as KnownCallback;
    const reaction = (reactions.length > 1 ? reactions.shift() : reactions[0]) as Reaction;
    const arrival = { method: "POST", target: url, headers: {}, body: Buffer.from(JSON.stringify(body)), reaction };
    (callback.arrivals as Arrival[]).push({ ...arrival, at: time });
    const pause = pauses[callback.arrivals.length - 1];
    if (retries(reaction) && pause !== undefined) duePushes.push({ at: time + pause, url, body });
  }

  /** Lets the duration of one exchange pass on the hub's clock. */
  function passExchange(): void {
    const { arrivals } = [...callbacks.values()].at(-1)?.callback ?? { arrivals: [] };
    wait(exchange?.(arrivals.length) ?? 0, () => false);
  }

  function wait(milliseconds: number, isOver: () => boolean): void {
    const end = time + milliseconds;
    while (!isOver()) {
      duePushes.sort((left, right) => left.at - right.at);
      const nextPush = duePushes[0];
      if (nextPush === undefined || nextPush.at > end) {
        time = end;
        return;
      }
      duePushes.shift();
      time = Math.max(time, nextPush.at);
      deliver(nextPush);
    }
  }

  function reply(status: number, json: JsonObject): HttpReply {
    return { status, headers: {}, text: JSON.stringify(json), json, exchange: {} as never, at: time };
  }

  const context: Partial<ScenarioContext> = {
    async send({ method, path, body }) {
      const id = method === "POST" ? `msg_${messages.size}` : path.replace("/v1/messages/", "");
      if (method === "POST") messages.set(id, { status: "open", message: body as JsonObject });
      const { status } = messages.get(id) ?? { status: "absent" };
      return reply(method === "POST" ? 202 : 200, { id, status });
    },
    async hook(name, { id, resolution }) {
      if (name === "clock") return {};
      if (name !== "resolve") return { secret_ref: "vault://secret" };
      const entry = messages.get(String(id));
      if (entry === undefined) return { applied: false };
      entry.status = String(resolution);
      const { callback } = entry.message.request as { callback?: { url: string } };
      const body = { in_reply_to: String(id), resolution_id: `res_${id}` };
      if (callback !== undefined) duePushes.push({ at: time, url: callback.url, body });
      return { applied: true };
    },
    async callback(reactions) {
      const url = `http://suite.example/${callbacks.size}`;
      const callback: Callback = { url, arrivals: [], come: async () => false };
      callbacks.set(url, { callback, reactions: [...reactions] });
      return callback;
    },
    async come({ arrivals }, count, milliseconds) {
      wait(milliseconds, () => arrivals.length >= count);
      return arrivals.length >= count;
    },
    has: (need) => need === "clock" && exchange !== undefined,
    expect: (rule, holds, why) => void findings.push({ rule, outcome: holds ? "conforms" : "violates", why }),
    skip: (rule, why) => void findings.push({ rule, outcome: "skipped", why }),
    fresh(text) {
      freshCount += 1;
      return `${text}-${freshCount}`;
    },
    async pass(milliseconds) {
      if (exchange === undefined) return wait(milliseconds, () => false);
      time += milliseconds;
      passExchange();
    },
    async now() {
      passExchange();
      return time;
    },
    agents: { a: "a" },
    setting: {},
  };
  return { context: context as ScenarioContext, findings };
}

function isFailure(reaction: Reaction): boolean {
  const status = typeof reaction === "object" ? reaction.status : reaction;
  return status === "reset" || status >= 500;
}

/** Plays these scenarios. Returns the outcome of each rule, with the reason if it does not conform. */
async function resultsOf(
  names: readonly string[],
  ...hub: Parameters<typeof hubWith>
): Promise<Record<string, string>> {
  const { context, findings } = hubWith(...hub);
  for (const { name, play } of delivery) if (names.includes(name)) await play(context);
  const sortedFindings = [...findings].sort(
    (left, right) => Number(left.outcome !== "conforms") - Number(right.outcome !== "conforms"),
  );
  return Object.fromEntries(
    sortedFindings.map(({ rule, outcome, why }) => [rule, outcome === "conforms" ? outcome : `${outcome}: ${why}`]),
  );
}

const doublingPauses = [1000, 2000, 4000, 8000, 16_000];

describe("if the clock cannot be moved", () => {
  it("waits for repeated pushes, and skips only AHCP-DLV-006", async () => {
    const names = ["delivery-again", "delivery-attempts", "delivery-same", "delivery-refused"];
    expect(await resultsOf(names, doublingPauses)).toEqual({
      "AHCP-DLV-002": "conforms",
      "AHCP-DLV-003": "conforms",
      "AHCP-DLV-004": "conforms",
      "AHCP-DLV-005": "conforms",
      "AHCP-DLV-006": expect.stringMatching(/^skipped: no hook "clock"/),
      "AHCP-DLV-007": "conforms",
    });
  });

  it("skips the rules if the second push does not arrive in time", async () => {
    const names = ["delivery-again", "delivery-attempts", "delivery-same"];
    const skippedAsLate = expect.stringMatching(/^skipped: nothing came within the bound "next-push"/);
    expect(await resultsOf(names, [600_000])).toEqual({
      "AHCP-DLV-003": skippedAsLate,
      "AHCP-DLV-004": skippedAsLate,
      "AHCP-DLV-007": expect.stringMatching(/^skipped/),
    });
  });

  it("skips a rule about all attempts if fewer than five arrived", async () => {
    expect(await resultsOf(["delivery-same"], doublingPauses)).toEqual({ "AHCP-DLV-007": "conforms" });
    const skippedAsTooFew = expect.stringMatching(
      /^skipped: of 5 attempts, which any hub makes, 3 arrived: a later one may differ/,
    );
    expect(await resultsOf(["delivery-same"], [1000, 2000])).toEqual({ "AHCP-DLV-007": skippedAsTooFew });
  });

  it.each([
    ["as short as an attempt as not growing", [1, 2, 2, 3], /^violates: the pauses do not grow: 1, 2, 2, 3 ms/],
    ["that may grow only by the duration of attempts as undecided", [6, 7, 7, 9], /^skipped: the pauses are so short/],
    ["that are short and constant as not growing", [30, 31, 30, 31], /^violates: the pauses do not grow/],
    ["that are short and double as growing", [20, 40, 80, 160], /^conforms/],
    ["of milliseconds that triple as growing", [1, 3, 9, 27], /^conforms/],
  ])("judges pauses %s", async (_, pauses, resultOf) => {
    expect((await resultsOf(["delivery-attempts"], pauses))["AHCP-DLV-004"]).toMatch(resultOf);
  });

  it("compares the pauses of five messages if pauses are shorter than a first push", async () => {
    let time = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => (time += 1000));
    try {
      const resultOf = (await resultsOf(["delivery-attempts"], [300, 300, 320, 330]))["AHCP-DLV-004"];
      expect(resultOf).toMatch(/^violates: the pauses do not grow/);
    } finally {
      now.mockRestore();
    }
    expect((await resultsOf(["delivery-attempts"], [300, 300, 320, 330]))["AHCP-DLV-004"]).toBe("conforms");
  });

  it("reports constant pauses and a repetition after 408", async () => {
    expect(await resultsOf(["delivery-attempts"], [5000, 5000, 5000, 5000])).toMatchObject({
      "AHCP-DLV-004": "violates: the pauses do not grow: 5000, 5000, 5000, 5000 ms",
    });
    const retries = (reaction: Reaction): boolean => isFailure(reaction) || reaction === 408;
    expect(await resultsOf(["delivery-refused"], doublingPauses, retries)).toMatchObject({
      "AHCP-DLV-005": "violates: after HTTP 408 it is sent again",
    });
  });
});

it("ignores the duration of exchanges in pauses if the clock can be moved", async () => {
  const slowerExchanges = (arrivals: number): number => 20 * arrivals;
  const fasterExchanges = (arrivals: number): number => 200 / arrivals;
  const constantPauses = Array<number>(20).fill(5000);
  const growingPauses = Array.from({ length: 8 }, (_, index) => 5000 * 1.5 ** index);
  const resultOf = async (pauses: readonly number[], exchange: (arrivals: number) => number) =>
    (await resultsOf(["delivery-attempts"], pauses, isFailure, exchange))["AHCP-DLV-004"];
  for (const exchange of [slowerExchanges, fasterExchanges, () => 0]) {
    expect(await resultOf(constantPauses, exchange)).toBe(
      "violates: the pauses do not grow: 6594, 6594, 6594, 6594 ms",
    );
    expect(await resultOf(growingPauses, exchange)).toBe("conforms");
  }
});

it.each([
  ["doubles its pauses 60 times", 60, 1000, /^skipped: its pauses grow to 30 days/],
  ["gives up after a pause of two days and more", 8, 1_800_000, "conforms"],
  ["tries again each day", 300, 0, "violates: it still tries after 200 attempts"],
])("judges whether a hub ever gives up if it %s", async (_, attempts, first, resultOf) => {
  const dayMs = 86_400_000;
  const pauses = Array.from({ length: attempts }, (_, index) => (first === 0 ? dayMs : first * 2 ** index));
  const { "AHCP-DLV-006": outcome } = await resultsOf(["delivery-attempts"], pauses, isFailure, () => 0);
  expect(outcome).toEqual(typeof resultOf === "string" ? resultOf : expect.stringMatching(resultOf));
});
