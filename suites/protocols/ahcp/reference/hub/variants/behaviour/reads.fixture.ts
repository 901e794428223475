import { notify, select } from "../../hub.fixture.ts";
import { pause, type ReportTools } from "./tools.fixture.ts";

export const reportReads = async ({ report, accept, read, resolve, submit, clock, by }: ReportTools): Promise<void> => {
  const id = await accept(select());
  await accept(select({}, by("b")), "b");
  for (const as of ["b", "nobody", "x"]) report(as, await read(id, "", as), await read("msg_unknown", "", as));
  let hasEnded = false;
  const pendingRead = read(id, "?wait=5").finally(() => {
    hasEnded = true;
  });
  await pause(15);
  report("waits", hasEnded);
  await clock({ advanceMs: 5000 });
  report("waited", await pendingRead);
  report("since", await read(id, "?since=2026-03-01T13:00:00Z"));
  await resolve(id, "declined");
  report("malformed", await submit({ ...notify, title: "" }));
};
