import { expect, it } from "vitest";
import { postFor } from "./index.ts";

it("delivers a message at once, unless it is lost or duplicated", () => {
  const post = postFor<string>();
  expect(post.send("a")).toEqual(["a"]);
  expect(post.send("b", "twice")).toEqual(["b", "b"]);
  expect(post.send("c", "lost")).toEqual([]);
  expect(post.isEmpty).toBe(true);
});

it("keeps late messages, and delivers the first or the last of them", () => {
  const post = postFor<string>();
  for (const each of ["a", "b", "c"]) expect(post.send(each, "late")).toEqual([]);
  expect([post.isEmpty, post.arrive("last"), post.arrive("first"), post.arrive("first")]).toEqual([
    false,
    "c",
    "a",
    "b",
  ]);
  expect([post.isEmpty, post.arrive("first")]).toEqual([true, undefined]);
});
