import { afterEach, expect, it, vi } from "vitest";
import { protocolsAsked } from "./words.ts";

afterEach(() => vi.restoreAllMocks());

const known = ["post", "shop"];

it("selects the named protocols, and says that all are made if none is named", () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(protocolsAsked(["shop", "--anew"], known)).toEqual(["shop"]);
  expect(said).not.toHaveBeenCalled();
  expect(protocolsAsked([], known)).toEqual([]);
  expect(said).toHaveBeenCalledWith("no protocol is named: all 2 are made again (post, shop)");
});

it.each([
  ["--help", "--help is not an option: expected one of --anew"],
  ["sohp", "sohp is not a protocol: expected some of post, shop"],
])("ends with 2 for %s before it makes anything", (word, why) => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  expect(() => protocolsAsked(["shop", word], known)).toThrow("exit 2");
  expect(said).toHaveBeenCalledWith(expect.stringContaining(why));
});
