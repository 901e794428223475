import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { late, noon, notify, push, type Receiver, receiver, select, soon, task } from "../hub.fixture.ts";
import type { Hub } from "../hub.ts";
import { operations } from "../operator.ts";

/** A hub, and its web handler. */
export interface House {
  hub: Hub;
  handler(request: Request): Promise<Response>;
}

type Call = (method: string, path: string, as?: string, body?: Json | string) => Promise<Told>;
interface Told {
  status: number;
  type: string | null;
  retry: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  body: any;
}

/** What scenarios cannot see of a hub, and much besides: two hubs that differ there tell it differently. Ids are replaced by their order. */
export async function storyOf({ hub, handler }: House): Promise<string> {
  const lines: string[] = [];
  const tell = (what: string, ...all: unknown[]): void => void lines.push(`${what}: ${JSON.stringify(all)}`);
  const call: Call = async (method, path, as = "a", body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (as === "a") headers.authorization = "Bearer token-of-a";
    if (as === "b") headers["x-api-key"] = "key-of-b";
    const url = path.startsWith("http") ? path : `http://127.0.0.1${path}`;
    const answer = await handler(new Request(url, { method, headers, ...(body === undefined ? {} : { body: text }) }));
    const read = await answer.text();
    const { headers: said } = answer;
    const type = said.get("content-type");
    return { status: answer.status, type, retry: said.get("retry-after"), body: read === "" ? null : JSON.parse(read) };
  };
  const operate = async (name: string, given: JsonObject = {}): Promise<JsonObject> =>
    (await operations[name]?.(hub, given)) ?? {};
  const resolve = (id: string, resolution: string, more: JsonObject = {}): Promise<JsonObject> =>
    operate("resolve", { id, actor: "human:tester", resolution, ...more });
  const submit = (body: Json, as?: string): Promise<Told> => call("POST", "/v1/messages", as, body);
  const read = (id: string, query = "", as?: string): Promise<Told> => call("GET", `/v1/messages/${id}${query}`, as);
  const cancel = (id: string, as?: string): Promise<Told> => call("POST", `/v1/messages/${id}/cancel`, as, {});
  const taken = async (body: Json, as?: string): Promise<string> => String((await submit(body, as)).body?.id);
  const clock = (given: JsonObject): Promise<JsonObject> => operate("clock", given);
  const by = (id: string, run = "run-1"): JsonObject => ({ agent: { id, run_id: run, runtime: "cli" } });
  const tools = { hub, tell, call, operate, resolve, submit, read, cancel, taken, clock, by };

  for (const chapter of chapters) {
    await clock({ at: noon, stopped: true });
    hub.submits.clear();
    await chapter(tools);
  }
  const seen = new Map<string, string>();
  const told = lines.join("\n").replace(/:\d{4,5}\//g, ":port/");
  return told.replace(/\b(?:msg|res|jti|key)[_-][\w-]{8,}|\b(?:res_|key-)\d+/g, (id) => {
    const name = seen.get(id) ?? `${id.slice(0, 3)}#${seen.size}${id.length < 12 ? "" : ` of ${id.length}`}`;
    seen.set(id, name);
    return name;
  });
}

interface Tools {
  hub: Hub;
  tell(what: string, ...all: unknown[]): void;
  call: Call;
  operate(name: string, given?: JsonObject): Promise<JsonObject>;
  resolve(id: string, resolution: string, more?: JsonObject): Promise<JsonObject>;
  submit(body: Json, as?: string): Promise<Told>;
  read(id: string, query?: string, as?: string): Promise<Told>;
  cancel(id: string, as?: string): Promise<Told>;
  taken(body: Json, as?: string): Promise<string>;
  clock(given: JsonObject): Promise<JsonObject>;
  by(id: string, run?: string): JsonObject;
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const timeIn = (signature: string | undefined): string | undefined => /t=(\d+)/.exec(signature ?? "")?.[1];

const confirm = { mode: "confirm", options: undefined as never };
const form = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
const input = { mode: "input", options: undefined as never, schema: form };

const submits = async ({ tell, call, submit, taken, read, by, hub }: Tools): Promise<void> => {
  tell("published", await call("GET", "/.well-known/ahcp", "nobody"));
  for (const version of ["1.0", "0.0", "0.2", "0.9", "0", "0.3.0", "x"])
    tell(version, await submit({ ...notify, ahcp_version: version }));
  tell("old push", (await submit(select(push("http://127.0.0.1:9/"), { ahcp_version: "0.2" }))).status);
  const full = { tags: ["t"], priority: "high", client_ref: "ref", context: [{ kind: "text", text: "x" }], more: 1 };
  const all = select({ more: 1 }, { ...full, id: "msg_mine", status: "answered", response: {}, ...by("a") });
  const more = { ...all, agent: { ...(all.agent as object), more: 1 } };
  for (const message of [more, task({ verification: "v", checklist: [{ text: "t" }] }), notify]) {
    const ack = await submit(message);
    tell("taken", ack, await read(ack.body?.id ?? "none"), (await call("GET", ack.body?.poll_url ?? "/")).status);
  }
  tell("same reference", await submit(select({}, full)));
  for (const created_at of ["2016-01-01T00:00:00Z", "2036-01-01T00:00:00Z"])
    tell("created", await submit(select({}, { created_at })));
  const bad = { default_on_expire: "green" };
  for (const request of [bad, { ...confirm, ...bad }, { ...input, default_on_expire: {} }])
    tell("default", await submit(select(request)));
  for (const expires_at of ["2001-01-01T00:00:00Z", "2026-03-01T00:30:00-12:00", "2026-03-02T01:00:00+14:00"])
    tell("deadline", await submit(select({}, { expires_at })));
  for (const size of [40_000, 65_536, 65_537]) tell("size", await submit({ ...notify, body: "x".repeat(size) }));
  for (const count of [16, 17])
    tell("parts", await submit({ ...notify, context: Array(count).fill({ kind: "text", text: "" }) }));
  for (const text of ["{", "null", "{}"]) tell("malformed", await submit(text));
  for (const [who, agent] of [
    ["nobody", "a"],
    ["x", "a"],
    ["b", "a"],
    ["a", "A"],
  ] as const)
    tell(who, await submit({ ...notify, ...by(agent) }, who));
  const ids = new Set<string>();
  for (let count = 0; count < 12; count++) ids.add(await taken({ ...notify, title: `${count}` }));
  tell("ids", ids.size);
  const { requestsPerMinute, inboxDepth } = hub.limits;
  for (let count = 0; count < requestsPerMinute; count++) hub.submits.get("a")?.push(hub.clock.now());
  tell("rate", await submit(notify));
  hub.submits.clear();
  const open = hub.store.open.get("a") ?? 0;
  hub.store.open.set("a", inboxDepth);
  tell("inbox", await submit(select()));
  hub.store.open.set("a", open);
};

const outcomes = async ({ tell, taken, resolve, read, cancel, clock, operate }: Tools): Promise<void> => {
  const words = ["answered", "declined", "cancelled", "expired", "completed", "dismissed", "ignored"];
  for (const make of [() => select(), () => task(), () => ({ ...notify, callback: {} })])
    for (const word of words) {
      const id = await taken(make());
      tell(word, await resolve(id, word, word === "answered" ? { value: "red" } : {}), await read(id));
    }
  for (const [request, value] of [
    [{}, "green"],
    [confirm, "maybe"],
    [confirm, "approve"],
    [input, { n: 1 }],
    [input, { note: "x" }],
  ] as const) {
    const id = await taken(select(request as JsonObject));
    tell("value", await resolve(id, "answered", { value }), await read(id));
  }
  for (const permission of ["allow_respond", "allow_ignore"])
    for (const word of ["answered", "declined"]) {
      const id = await taken(select({ permissions: { [permission]: false } }));
      tell(permission, await resolve(id, word, word === "answered" ? { value: "red" } : {}));
    }
  for (const allowed of [undefined, [], ["human:tester", "agent:x"]])
    for (const actor of ["human:tester", "human:tester2", "agent:a", "agent:x"]) {
      const id = await taken(select({ allowed_resolvers: allowed as never }));
      const claims = { actor: "human:boss" };
      tell(actor, await resolve(id, "answered", { value: "red", actor, claims }), await read(id));
    }
  const state = { none: null, no: false, zero: 0, text: "", list: [], more: { a: [1, "é"] } };
  for (const request of [{}, { default_on_expire: "blue" }, confirm, { ...confirm, default_on_expire: "deny" }]) {
    const id = await taken(select(request, { expires_at: soon, state }));
    const spare = await taken(select(request, { expires_at: soon, created_at: "2026-03-02T12:00:00Z" }));
    const job = await taken(task({ default_on_expire: "x" }, { expires_at: soon }));
    await clock({ at: "2026-03-01T12:00:07Z" });
    const early = await taken(select({}, { expires_at: soon }));
    tell("early", await resolve(early, "answered", { value: "red" }));
    await clock({ at: late });
    tell("late", await resolve(id, "answered", { value: "red" }), await cancel(spare));
    await clock({ at: "2026-03-01T12:00:30Z" });
    tell("expired", await read(id), await read(spare), await read(job), await resolve(id, "declined"));
    await clock({ at: noon });
  }
  const ever = await taken(select());
  const told = await taken(notify);
  tell("notify", await read(told), await read(told));
  await clock({ at: "2026-03-01T13:00:00Z" });
  tell("ever", await read(ever));
  const answered = await taken(select());
  await resolve(answered, "answered", { value: "red" });
  const before = await read(answered);
  await clock({ advanceMs: 5000 });
  tell(
    "stable",
    before,
    await read(answered),
    await resolve(answered, "declined"),
    await cancel(answered),
    await read(answered),
  );
  for (const message of [select({}, { state }), task(), notify]) {
    const id = await taken(message);
    tell("cancel", await cancel(id, "b"), await cancel(id), await read(id), await cancel(id), await read(id));
  }
  tell("unknown", await cancel("msg_unknown"), await read("msg_unknown"));
  const gone = await taken(select());
  await operate("delete", { id: gone });
  tell("gone", await read(gone), await read(gone, "", "b"), await cancel(gone));
};

const reads = async ({ tell, taken, read, resolve, submit, clock, by }: Tools): Promise<void> => {
  const id = await taken(select());
  await taken(select({}, by("b")), "b");
  for (const as of ["b", "nobody", "x"]) tell(as, await read(id, "", as), await read("msg_unknown", "", as));
  let over = false;
  const waiting = read(id, "?wait=5").finally(() => {
    over = true;
  });
  await rest(15);
  tell("waits", over);
  await clock({ advanceMs: 5000 });
  tell("waited", await waiting);
  tell("since", await read(id, "?since=2026-03-01T13:00:00Z"));
  await resolve(id, "declined");
  tell("malformed", await submit({ ...notify, title: "" }));
};

const pushes = async (tools: Tools): Promise<void> => {
  const { hub, tell, taken, resolve, cancel, clock, operate, read, by } = tools;
  const ahcpSignature = await import("../../../rules/signature.ts");
  const logged = (): number => hub.log.lines.filter(({ event }) => event === "pushed").length;
  const isBusy = (): boolean =>
    [...hub.store.entries.values()].some(
      (entry) =>
        entry.envelope !== undefined && entry.push === "pending" && hub.policy.callbackOf(entry, hub) !== undefined,
    );
  /** What a callback sees of a message until nothing more comes. */
  async function through(
    name: string,
    answers: Receiver["answers"],
    start: (url: string) => Promise<unknown>,
  ): Promise<void> {
    const callback = await receiver(...answers);
    const before = logged();
    const url = `${callback.url}/cb?b=1&a=2`;
    await start(url);
    while (isBusy() && logged() - before < 9) {
      await clock({ advanceMs: 40_000 });
      await rest(2);
    }
    const { secret } = await operate("key", { callback: url });
    for (const { path, headers, body } of callback.pushes) {
      const value = headers["ahcp-signature"] as string | undefined;
      const key = secret === undefined ? undefined : ({ alg: "hmac-sha256", secret: String(secret) } as const);
      const receiving = { callbackUrl: url, key: key as never, clock: Number(timeIn(value)) };
      const verdict = key === undefined ? "not hmac" : (ahcpSignature.verify(body, value, receiving) ?? "fits");
      const form = value?.replace(/v1=[\w=-]+/, "v1").replace(/t=\d+/, "t");
      tell(name, path, body, form, verdict, headers.authorization?.slice(0, 6));
    }
    const times = new Set(
      callback.pushes.map(({ headers }) => timeIn(headers["ahcp-signature"] as string | undefined)),
    );
    tell(name, logged() - before, times.size);
    callback.close();
    hub.store.entries.clear();
    hub.clock.clear();
    await clock({ at: noon });
  }
  const port = (url: string): string => new URL(url).port;
  const hooked =
    (name: string, request: JsonObject = {}) =>
    async (url: string) => {
      await cancel(await taken(select({ ...push(url), ...request }, { state: { n: 1e21 }, title: name })));
    };
  await through("cancelled", [200], hooked("cancelled"));
  await through("pull", [200], async (url) => hooked("pull", { callback: { mode: "pull", url } })(url));
  await through("answered", [200], async (url) => {
    const id = await taken(select(push(url)));
    await resolve(id, "answered", { value: "red", comment: "c" });
    tell("second", await resolve(id, "declined"));
  });
  await through("expired", [200], async (url) => {
    await taken(select(push(url), { expires_at: soon }));
    await clock({ at: late });
  });
  await through("notify", [200], async (url) => {
    tell("notify", await resolve(await taken({ ...notify, ...push(url) }), "declined"));
  });
  await through("refused", [400], async (url) => {
    const id = await taken(select(push(url)));
    const before = logged();
    await cancel(id);
    for (let turn = 0; turn < 200 && logged() === before; turn++) await rest(2);
    tell("refused", await read(id));
  });
  for (const answers of [[500], [503, "break" as const, 200]]) await through("tries", answers, hooked("tries"));
  await through("two agents", [200], async (url) => {
    const message = select(push(url));
    const id = await taken(message);
    await taken({ ...select(), ...by("b"), idempotency_key: message.idempotency_key as string }, "b");
    await cancel(id);
  });
  await through("token", [200], async (url) => {
    await operate("bind", { host: "cb.localhost", agent: "a" });
    for (const host of ["cb", "evilcb"])
      await cancel(await taken(select(push(url.replace("127.0.0.1", `${host}.localhost`), "bearer"))));
  });
  const second = await receiver(200);
  await through("redirect", [{ status: 307, location: `${second.url}/second` }], hooked("redirect"));
  tell("second", second.pushes.length);

  hub.settings.profile = "production";
  for (const host of ["bound.example", "127.0.0.1"]) await operate("bind", { host, agent: "a" });
  await operate("names", { host: "bound.example", answers: [["127.0.0.1"]] });
  await operate("names", { host: "other.example", answers: [["127.0.0.1"]] });
  for (const host of ["127.0.0.1", "bound.example", "other.example"])
    await through(`production ${host}`, [200], async (url) => {
      await cancel(await taken(select(push(`http://${host}:${port(url)}/`, "bearer"))));
    });
  delete hub.settings.profile;

  const links = { body: `![i](${second.url}/image)`, context: [{ kind: "file", file: { uri: `${second.url}/file` } }] };
  const own = { client_ref: "canary", state: { canary: 1 } };
  for (const sensitive of [true, false]) {
    const id = await taken(
      select({}, { ...links, ...own, sensitive, body: `<b>canary-${sensitive}</b>${links.body}` }),
    );
    tell("view", await operate("view", { id }));
  }
  await rest(30);
  tell("fetched", second.refused.length);
  tell(
    "logs",
    hub.log.lines.filter(({ leak }) => leak !== undefined).length,
    hub.log.lines.map(({ leak }) => leak),
  );
  second.close();
};

const chapters = [submits, outcomes, reads, pushes];
