import type { JsonObject } from "../../../../../../../schemas/index.ts";
import { lateTime, noon, notify, select, soonTime, task } from "../../hub.fixture.ts";
import { confirm, input, type Tools } from "./tools.fixture.ts";

export const outcomes = async ({ tell, taken, resolve, read, cancel, clock, operate }: Tools): Promise<void> => {
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
    const id = await taken(select(request, { expires_at: soonTime, state }));
    const spare = await taken(select(request, { expires_at: soonTime, created_at: "2026-03-02T12:00:00Z" }));
    const job = await taken(task({ default_on_expire: "x" }, { expires_at: soonTime }));
    await clock({ at: "2026-03-01T12:00:07Z" });
    const early = await taken(select({}, { expires_at: soonTime }));
    tell("early", await resolve(early, "answered", { value: "red" }));
    await clock({ at: lateTime });
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
