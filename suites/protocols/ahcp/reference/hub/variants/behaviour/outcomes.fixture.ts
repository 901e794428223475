import type { JsonObject } from "../../../../../../../schemas/index.ts";
import { lateTime, noon, notify, select, soonTime, task } from "../../hub.fixture.ts";
import { confirmRequest, inputRequest, type ReportTools } from "./tools.fixture.ts";

export const reportOutcomes = async ({
  report,
  accept,
  resolve,
  read,
  cancel,
  clock,
  operate,
}: ReportTools): Promise<void> => {
  const resolutions = ["answered", "declined", "cancelled", "expired", "completed", "dismissed", "ignored"];
  for (const createMessage of [() => select(), () => task(), () => ({ ...notify, callback: {} })])
    for (const resolution of resolutions) {
      const id = await accept(createMessage());
      report(
        resolution,
        await resolve(id, resolution, resolution === "answered" ? { value: "red" } : {}),
        await read(id),
      );
    }
  for (const [request, value] of [
    [{}, "green"],
    [confirmRequest, "maybe"],
    [confirmRequest, "approve"],
    [inputRequest, { n: 1 }],
    [inputRequest, { note: "x" }],
  ] as const) {
    const id = await accept(select(request as JsonObject));
    report("value", await resolve(id, "answered", { value }), await read(id));
  }
  for (const permission of ["allow_respond", "allow_ignore"])
    for (const word of ["answered", "declined"]) {
      const id = await accept(select({ permissions: { [permission]: false } }));
      report(permission, await resolve(id, word, word === "answered" ? { value: "red" } : {}));
    }
  for (const resolvers of [undefined, [], ["human:tester", "agent:x"]])
    for (const actor of ["human:tester", "human:tester2", "agent:a", "agent:x"]) {
      const id = await accept(select({ allowed_resolvers: resolvers as never }));
      const claims = { actor: "human:boss" };
      report(actor, await resolve(id, "answered", { value: "red", actor, claims }), await read(id));
    }
  const state = { none: null, no: false, zero: 0, text: "", list: [], more: { a: [1, "é"] } };
  for (const request of [
    {},
    { default_on_expire: "blue" },
    confirmRequest,
    { ...confirmRequest, default_on_expire: "deny" },
  ]) {
    const id = await accept(select(request, { expires_at: soonTime, state }));
    const cancelledLate = await accept(select(request, { expires_at: soonTime, created_at: "2026-03-02T12:00:00Z" }));
    const taskId = await accept(task({ default_on_expire: "x" }, { expires_at: soonTime }));
    await clock({ at: "2026-03-01T12:00:07Z" });
    const answeredInTime = await accept(select({}, { expires_at: soonTime }));
    report("early", await resolve(answeredInTime, "answered", { value: "red" }));
    await clock({ at: lateTime });
    report("late", await resolve(id, "answered", { value: "red" }), await cancel(cancelledLate));
    await clock({ at: "2026-03-01T12:00:30Z" });
    report("expired", await read(id), await read(cancelledLate), await read(taskId), await resolve(id, "declined"));
    await clock({ at: noon });
  }
  const withoutDeadline = await accept(select());
  const notifyId = await accept(notify);
  report("notify", await read(notifyId), await read(notifyId));
  await clock({ at: "2026-03-01T13:00:00Z" });
  report("ever", await read(withoutDeadline));
  const answeredId = await accept(select());
  await resolve(answeredId, "answered", { value: "red" });
  const readBefore = await read(answeredId);
  await clock({ advanceMs: 5000 });
  report(
    "stable",
    readBefore,
    await read(answeredId),
    await resolve(answeredId, "declined"),
    await cancel(answeredId),
    await read(answeredId),
  );
  for (const message of [select({}, { state }), task(), notify]) {
    const id = await accept(message);
    report("cancel", await cancel(id, "b"), await cancel(id), await read(id), await cancel(id), await read(id));
  }
  report("unknown", await cancel("msg_unknown"), await read("msg_unknown"));
  const deletedId = await accept(select());
  await operate("delete", { id: deletedId });
  report("gone", await read(deletedId), await read(deletedId, "", "b"), await cancel(deletedId));
};
