import { notify, select } from "../../hub.fixture.ts";
import { rest, type Tools } from "./tools.fixture.ts";

export const reads = async ({ tell, taken, read, resolve, submit, clock, by }: Tools): Promise<void> => {
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
