import { describe, expect, it } from "vitest";
import { edit, remove, set } from "./changes.ts";

const message = { id: 1, agent: { run: "a", "x/y": null }, lines: [{ n: 1 }, { m: 2 }], none: [] };

describe("a change of a message", () => {
  it.each([
    ["a member", edit("/agent/run", () => "b"), { ...message, agent: { run: "b", "x/y": null } }],
    ["a member with a slash in its name", remove("/agent/x~1y"), { ...message, agent: { run: "a" } }],
    ["null, which is there", edit("/agent/x~1y", () => 0), { ...message, agent: { run: "a", "x/y": 0 } }],
    ["each item that has the member", edit("/lines/*/n", () => 9), { ...message, lines: [{ n: 9 }, { m: 2 }] }],
    ["an item by its place", remove("/lines/0"), { ...message, lines: [{ m: 2 }] }],
    ["each member", edit("/agent/*", (value) => value ?? undefined), { ...message, agent: { run: "a" } }],
    ["a member that was not there", set("/agent/more", true), { ...message, agent: { ...message.agent, more: true } }],
    ["several members", remove("/id", "/lines"), { agent: message.agent, none: [] }],
    ["an item by one that is a list", edit("/lines/0", () => [1, 2]), { ...message, lines: [[1, 2], { m: 2 }] }],
  ])("concerns %s", (_, change, changed) => {
    const before = structuredClone(message);
    expect(change(message)).toEqual(changed);
    expect(message).toEqual(before);
  });

  it.each([
    ["edits nothing that is not there", edit("/agent/toString", () => "b")],
    ["sets nothing in an object that is not there", set("/user/name", "b")],
    ["removes nothing from a list without the item", remove("/none/0")],
  ])("%s", (_, change) => {
    expect(change(message)).toEqual(message);
  });
});
