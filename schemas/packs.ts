import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "./home.ts";

/** The file that makes a folder a pack. */
export const profileFile = "profile.json";

interface PackList {
  packs: { name: string; version: string }[];
  example: Readonly<Record<"protocol" | "rule" | "vector" | "scenario" | "agentRule" | "walk", string>>;
}

const list = JSON.parse(readFileSync(join(home, "schemas", "packs.json"), "utf8")) as PackList;

/** The packs of the package, in the order of display, with the names that help texts use as examples. */
export const builtInPacks: readonly { name: string; version: string }[] = list.packs;

/** Existing names, for examples in help texts. */
export const example: PackList["example"] = list.example;
