import { describe, expect, it } from "vitest";
import { editAt, removeAt, setAt } from "./changes.ts";

const message = { id: 1, agent: { run: "a", "x/y": null }, lines: [{ n: 1 }, { m: 2 }], none: [] };

describe("a change to a message", () => {
  it.each([
    ["a member", editAt("/agent/run", () => "b"), { ...message, agent: { run: "b", "x/y": null } }],
    ["a member with a slash in its name", removeAt("/agent/x~1y"), { ...message, agent: { run: "a" } }],
    ["a member that is null", editAt("/agent/x~1y", () => 0), { ...message, agent: { run: "a", "x/y": 0 } }],
    ["each item that has the member", editAt("/lines/*/n", () => 9), { ...message, lines: [{ n: 9 }, { m: 2 }] }],
    ["an item by its index", removeAt("/lines/0"), { ...message, lines: [{ m: 2 }] }],
    ["each member", editAt("/agent/*", (value) => value ?? undefined), { ...message, agent: { run: "a" } }],
    ["a new member", setAt("/agent/more", true), { ...message, agent: { ...message.agent, more: true } }],
    ["several members", removeAt("/id", "/lines"), { agent: message.agent, none: [] }],
    ["an item that becomes a list", editAt("/lines/0", () => [1, 2]), { ...message, lines: [[1, 2], { m: 2 }] }],
  ])("can edit %s", (_, change, changed) => {
    const original = structuredClone(message);
    expect(change(message)).toEqual(changed);
    expect(message).toEqual(original);
  });

  it.each([
    ["does not edit a missing value", editAt("/agent/toString", () => "b")],
    ["does not set a member of a missing object", setAt("/user/name", "b")],
    ["does not remove a missing item of a list", removeAt("/none/0")],
  ])("%s", (_, change) => {
    expect(change(message)).toEqual(message);
  });
});
