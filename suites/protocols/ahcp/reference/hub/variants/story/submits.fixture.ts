import { notify, push, select, task } from "../../hub.fixture.ts";
import { confirm, input, type Tools } from "./tools.fixture.ts";

export const submits = async ({ tell, call, submit, taken, read, by, hub }: Tools): Promise<void> => {
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
