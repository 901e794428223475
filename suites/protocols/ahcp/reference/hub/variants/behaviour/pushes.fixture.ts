import type { JsonObject } from "../../../../../../../schemas/index.ts";
import { lateTime, noon, notify, push, type Receiver, select, soonTime, startReceiver } from "../../hub.fixture.ts";
import { pause, type ReportTools } from "./tools.fixture.ts";

const timeIn = (signature: string | undefined): string | undefined => /t=(\d+)/.exec(signature ?? "")?.[1];

export const reportPushes = async (tools: ReportTools): Promise<void> => {
  const { hub, report, accept, resolve, cancel, clock, operate, read, by } = tools;
  const ahcpSignature = await import("../../../../rules/signature.ts");
  const loggedPushes = (): number => hub.log.lines.filter(({ event }) => event === "pushed").length;
  const isBusy = (): boolean =>
    [...hub.store.entries.values()].some(
      (entry) =>
        entry.envelope !== undefined && entry.push === "pending" && hub.policy.callbackOf(entry, hub) !== undefined,
    );
  /** Reports the pushes to a callback until the hub has none left for it. */
  async function reportPushesTo(
    name: string,
    answers: Receiver["answers"],
    start: (url: string) => Promise<unknown>,
  ): Promise<void> {
    const callback = await startReceiver(...answers);
    const pushCountBefore = loggedPushes();
    const url = `${callback.url}/cb?b=1&a=2`;
    await start(url);
    while (isBusy() && loggedPushes() - pushCountBefore < 9) {
      await clock({ advanceMs: 40_000 });
      await pause(2);
    }
    const { secret } = await operate("key", { callback: url });
    for (const { path, headers, body } of callback.pushes) {
      const value = headers["ahcp-signature"] as string | undefined;
      const key = secret === undefined ? undefined : ({ alg: "hmac-sha256", secret: String(secret) } as const);
      const receivedPush = { callbackUrl: url, key: key as never, clock: Number(timeIn(value)) };
      const verdict = key === undefined ? "not hmac" : (ahcpSignature.verify(body, value, receivedPush) ?? "fits");
      const form = value?.replace(/v1=[\w=-]+/, "v1").replace(/t=\d+/, "t");
      report(name, path, body, form, verdict, headers.authorization?.slice(0, 6));
    }
    const times = new Set(
      callback.pushes.map(({ headers }) => timeIn(headers["ahcp-signature"] as string | undefined)),
    );
    report(name, loggedPushes() - pushCountBefore, times.size);
    callback.close();
    hub.store.entries.clear();
    hub.clock.clear();
    await clock({ at: noon });
  }
  const port = (url: string): string => new URL(url).port;
  const cancelAsk =
    (name: string, request: JsonObject = {}) =>
    async (url: string) => {
      await cancel(await accept(select({ ...push(url), ...request }, { state: { n: 1e21 }, title: name })));
    };
  await reportPushesTo("cancelled", [200], cancelAsk("cancelled"));
  await reportPushesTo("pull", [200], async (url) => cancelAsk("pull", { callback: { mode: "pull", url } })(url));
  await reportPushesTo("answered", [200], async (url) => {
    const id = await accept(select(push(url)));
    await resolve(id, "answered", { value: "red", comment: "c" });
    report("second", await resolve(id, "declined"));
  });
  await reportPushesTo("expired", [200], async (url) => {
    await accept(select(push(url), { expires_at: soonTime }));
    await clock({ at: lateTime });
  });
  await reportPushesTo("notify", [200], async (url) => {
    report("notify", await resolve(await accept({ ...notify, ...push(url) }), "declined"));
  });
  await reportPushesTo("refused", [400], async (url) => {
    const id = await accept(select(push(url)));
    const before = loggedPushes();
    await cancel(id);
    for (let turn = 0; turn < 200 && loggedPushes() === before; turn++) await pause(2);
    report("refused", await read(id));
  });
  for (const answers of [[500], [503, "break" as const, 200]])
    await reportPushesTo("tries", answers, cancelAsk("tries"));
  await reportPushesTo("two agents", [200], async (url) => {
    const message = select(push(url));
    const id = await accept(message);
    await accept({ ...select(), ...by("b"), idempotency_key: message.idempotency_key as string }, "b");
    await cancel(id);
  });
  await reportPushesTo("token", [200], async (url) => {
    await operate("bind", { host: "cb.localhost", agent: "a" });
    for (const host of ["cb", "evilcb"])
      await cancel(await accept(select(push(url.replace("127.0.0.1", `${host}.localhost`), "bearer"))));
  });
  const second = await startReceiver(200);
  await reportPushesTo("redirect", [{ status: 307, location: `${second.url}/second` }], cancelAsk("redirect"));
  report("second", second.pushes.length);

  hub.settings.profile = "production";
  for (const host of ["bound.example", "127.0.0.1"]) await operate("bind", { host, agent: "a" });
  await operate("names", { host: "bound.example", answers: [["127.0.0.1"]] });
  await operate("names", { host: "other.example", answers: [["127.0.0.1"]] });
  for (const host of ["127.0.0.1", "bound.example", "other.example"])
    await reportPushesTo(`production ${host}`, [200], async (url) => {
      await cancel(await accept(select(push(`http://${host}:${port(url)}/`, "bearer"))));
    });
  delete hub.settings.profile;

  const links = { body: `![i](${second.url}/image)`, context: [{ kind: "file", file: { uri: `${second.url}/file` } }] };
  const privateMembers = { client_ref: "canary", state: { canary: 1 } };
  for (const sensitive of [true, false]) {
    const id = await accept(
      select({}, { ...links, ...privateMembers, sensitive, body: `<b>canary-${sensitive}</b>${links.body}` }),
    );
    report("view", await operate("view", { id }));
  }
  await pause(30);
  report("fetched", second.refused.length);
  report(
    "logs",
    hub.log.lines.filter(({ leak }) => leak !== undefined).length,
    hub.log.lines.map(({ leak }) => leak),
  );
  second.close();
};
