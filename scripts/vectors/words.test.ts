import { afterEach, expect, it, vi } from "vitest";
import { parseProtocols } from "./words.ts";

afterEach(() => vi.restoreAllMocks());

const protocolNames = ["post", "shop"];

it("selects the named protocols, and announces all of them if none is named", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(parseProtocols(["shop", "--anew"], protocolNames)).toEqual(["shop"]);
  expect(log).not.toHaveBeenCalled();
  expect(parseProtocols([], protocolNames)).toEqual([]);
  expect(log).toHaveBeenCalledWith("no protocol is named: all 2 are regenerated (post, shop)");
});

it.each([
  ["--help", "--help is not an option: expected one of --anew"],
  ["sohp", "sohp is not a protocol: expected some of post, shop"],
])("exits with 2 for the unknown argument %s", (word, why) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  expect(() => parseProtocols(["shop", word], protocolNames)).toThrow("exit 2");
  expect(log).toHaveBeenCalledWith(expect.stringContaining(why));
});
