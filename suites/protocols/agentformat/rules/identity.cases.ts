import { set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { react } from "./documents.ts";

const versioned = (schema_version: string) => ({ ...react(), schema_version });
const released = (version: string) => {
  const base = react();
  return { ...base, metadata: { ...(base.metadata as object), version } };
};

export const identityCases: readonly Cases[] = [
  {
    rule: "AGF-DOC-003",
    document: "agent",
    valid: [
      { name: "known", says: "is written for the edition that is known", data: versioned("1.0.0") },
      { name: "later-patch", says: "is written for a later patch", data: versioned("1.0.7"), at: "/schema_version" },
      {
        name: "later-minor",
        says: "is written for a later minor version, which is read with a warning",
        data: versioned("1.3.0"),
        at: "/schema_version",
        edge: true,
      },
      {
        name: "two-digits",
        says: "has a minor and a patch of two digits",
        data: versioned("1.12.10"),
        at: "/schema_version",
      },
    ],
    invalid: [
      { name: "next-major", says: "is of the next major version", change: set("/schema_version", "2.0.0"), edge: true },
      { name: "before-the-first", says: "is of major version 0", change: set("/schema_version", "0.9.0") },
      {
        name: "begins-with-the-digit",
        says: "is of major version 10, which only begins with a 1",
        change: set("/schema_version", "10.0.0"),
      },
      {
        name: "one-elsewhere",
        says: "has the 1 as its minor version",
        change: set("/schema_version", "3.1.0"),
      },
    ],
  },
  {
    rule: "AGF-META-004",
    document: "agent",
    valid: [
      { name: "three-numbers", says: "is a semantic version", data: released("1.0.0"), at: "/metadata/version" },
      {
        name: "pre-release",
        says: "is a semantic version with pre-release and build",
        data: released("2.0.0-rc.1+build.07"),
        at: "/metadata/version",
        edge: true,
      },
      { name: "zeros", says: "is the lowest semantic version", data: released("0.0.0"), at: "/metadata/version" },
    ],
    invalid: [
      { name: "letter-first", says: "is a free form", change: set("/metadata/version", "v1") },
      { name: "two-numbers", says: "has two numbers", change: set("/metadata/version", "1.0") },
      { name: "leading-v", says: "has a letter ahead of its numbers", change: set("/metadata/version", "v1.0.0") },
      { name: "leading-zero", says: "has a number with a leading zero", change: set("/metadata/version", "1.02.0") },
      {
        name: "zero-in-pre-release",
        says: "has a leading zero in its pre-release",
        change: set("/metadata/version", "1.0.0-01"),
        edge: true,
      },
      { name: "date", says: "is a date", change: set("/metadata/version", "2026-01-15") },
    ],
  },
];
