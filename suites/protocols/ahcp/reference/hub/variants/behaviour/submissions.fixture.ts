import { notify, push, select, task } from "../../hub.fixture.ts";
import { confirmRequest, inputRequest, type ReportTools } from "./tools.fixture.ts";

/** Reports submissions at the limits of versions, times, sizes, senders and rates. */
export const reportSubmissions = async ({
  report,
  call,
  submit,
  accept,
  read,
  by,
  hub,
}: ReportTools): Promise<void> => {
  report("published", await call("GET", "/.well-known/ahcp", "nobody"));
  for (const version of ["1.0", "0.0", "0.2", "0.9", "0", "0.3.0", "x"])
    report(version, await submit({ ...notify, ahcp_version: version }));
  report("old push", (await submit(select(push("http://127.0.0.1:9/"), { ahcp_version: "0.2" }))).status);
  const full = { tags: ["t"], priority: "high", client_ref: "ref", context: [{ kind: "text", text: "x" }], more: 1 };
  const messageWithUnknownMembers = select(
    { more: 1 },
    { ...full, id: "msg_mine", status: "answered", response: {}, ...by("a") },
  );
  const messageWithUnknownAgentMember = {
    ...messageWithUnknownMembers,
    agent: { ...(messageWithUnknownMembers.agent as object), more: 1 },
  };
  for (const message of [
    messageWithUnknownAgentMember,
    task({ verification: "v", checklist: [{ text: "t" }] }),
    notify,
  ]) {
    const ack = await submit(message);
    report("taken", ack, await read(ack.body?.id ?? "none"), (await call("GET", ack.body?.poll_url ?? "/")).status);
  }
  report("same reference", await submit(select({}, full)));
  for (const created_at of ["2016-01-01T00:00:00Z", "2036-01-01T00:00:00Z"])
    report("created", await submit(select({}, { created_at })));
  const badDefault = { default_on_expire: "green" };
  for (const request of [badDefault, { ...confirmRequest, ...badDefault }, { ...inputRequest, default_on_expire: {} }])
    report("default", await submit(select(request)));
  for (const expires_at of ["2001-01-01T00:00:00Z", "2026-03-01T00:30:00-12:00", "2026-03-02T01:00:00+14:00"])
    report("deadline", await submit(select({}, { expires_at })));
  for (const size of [40_000, 65_536, 65_537]) report("size", await submit({ ...notify, body: "x".repeat(size) }));
  for (const count of [16, 17])
    report("parts", await submit({ ...notify, context: Array(count).fill({ kind: "text", text: "" }) }));
  for (const text of ["{", "null", "{}"]) report("malformed", await submit(text));
  for (const [who, agent] of [
    ["nobody", "a"],
    ["x", "a"],
    ["b", "a"],
    ["a", "A"],
  ] as const)
    report(who, await submit({ ...notify, ...by(agent) }, who));
  const ids = new Set<string>();
  for (let count = 0; count < 12; count++) ids.add(await accept({ ...notify, title: `${count}` }));
  report("ids", ids.size);
  const { requestsPerMinute, inboxDepth } = hub.limits;
  for (let count = 0; count < requestsPerMinute; count++) hub.submits.get("a")?.push(hub.clock.now());
  report("rate", await submit(notify));
  hub.submits.clear();
  const openCount = hub.store.openCounts.get("a") ?? 0;
  hub.store.openCounts.set("a", inboxDepth);
  report("inbox", await submit(select()));
  hub.store.openCounts.set("a", openCount);
};
