import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isPrivateAddress } from "./addresses.ts";
import { type Hub, push, type Receiver, select, startReceiver, startTestHub, waitForAttempts } from "./hub.fixture.ts";

let hub: Hub;
let callback: Receiver;
async function close(): Promise<void> {
  callback.close();
  await hub.hub.close();
}

describe("in production", () => {
  let pushCount = 0;
  beforeAll(async () => {
    hub = await startTestHub({ profile: "production", limits: { inboxDepth: 9999 } });
    callback = await startReceiver(200);
    for (const host of ["good.example", "127.0.0.1", "localhost", "metadata.google.internal"])
      await hub.operate("bind", { host, agent: "a" });
  });

  afterAll(close);

  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://169.254.169.254/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://[64:ff9b::7f00:1]/",
    "http://localhost/",
    "http://localhost./",
    "http://metadata.google.internal/",
    "https://good.example@127.0.0.1/",
    "https://127.0.0.1#good.example",
    "https://me@good.example/",
    "file:///etc/passwd",
    "gopher://good.example/",
    "javascript:alert(1)",
    "https://other.example/",
    "https://good.example.other.example/",
    "https://sub.good.example/",
    "https://notgood.example/",
  ])("refuses a message with the callback %s", async (url) => {
    const { status, body } = await hub.submit(select(push(url)));
    expect([status, body.error.code]).toEqual([422, "invalid_field"]);
  });

  it.each(["https://good.example/", "https://GOOD.example.:8443/x"])(
    "accepts a message with the callback %s",
    async (url) => {
      expect((await hub.submit(select(push(url)))).status).toBe(202);
    },
  );

  it.each([
    ["127.0.0.1", [["127.0.0.1"]]],
    ["a private address beside a public one", [["9.9.9.9", "10.0.0.1"]]],
    ["a link-local IPv6 address", [["fe80::1"]]],
  ])("does not push to a host that now resolves to %s, but lets the outcome be read", async (_, answers) => {
    await hub.operate("names", { host: "good.example", answers });
    const id = await hub.accept(select(push(`http://good.example:${callback.port}/`)));
    await hub.cancel(id);
    pushCount += 1;
    expect((await waitForAttempts(hub, pushCount)).at(-1)).toBe(
      "attempt 1: the url leads into a private network, refused",
    );
    expect(callback.pushes).toEqual([]);
    expect((await hub.read(id)).body.response.resolution).toBe("cancelled");
  });
});

describe("in development", () => {
  beforeEach(async () => {
    hub = await startTestHub();
    callback = await startReceiver(200);
  });
  afterEach(close);

  it("connects to the address that it has checked, without a second lookup", async () => {
    await hub.operate("bind", { host: "cb.example", agent: "a" });
    await hub.operate("names", { host: "cb.example", answers: [["127.0.0.1"], ["192.0.2.1"]] });
    await hub.cancel(await hub.accept(select(push(`http://cb.example:${callback.port}/`))));
    await callback.waitForPushes(1);
    expect(callback.pushes[0]?.headers.host).toBe(`cb.example:${callback.port}`);
  });

  it("pushes to an unbound host only if it is on this machine", async () => {
    await hub.operate("names", { host: "cb.example", answers: [["192.0.2.1"]] });
    expect((await hub.submit(select(push("https://cb.example/")))).status).toBe(202);
    const id = await hub.accept(select(push("https://cb.example/")));
    await hub.cancel(id);
    expect(await waitForAttempts(hub, 1)).toEqual([
      "attempt 1: the url has a host that is neither bound nor on this machine, refused",
    ]);
  });
});

describe("isPrivateAddress", () => {
  it.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111"])("is false for %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
  it.each(["::7f00:1", "2002:7f00:1::", "255.255.255.255", "no address", ""])("is true for %j", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });
});
