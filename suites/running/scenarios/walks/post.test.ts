import { expect, it } from "vitest";
import { postFor } from "./index.ts";

it("delivers what is sent at once, unless something happens to it", () => {
  const post = postFor<string>();
  expect(post.send("a")).toEqual(["a"]);
  expect(post.send("b", "twice")).toEqual(["b", "b"]);
  expect(post.send("c", "lost")).toEqual([]);
  expect(post.isEmpty).toBe(true);
});

it("keeps what is late, and delivers it in order or out of it", () => {
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
