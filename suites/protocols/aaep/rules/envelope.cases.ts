import { add, remove } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { acceptance, event, extensionEvent } from "./messages.ts";

const at = (timestamp: string) => event("agent.session.completed", { timestamp });
const described = { agent_id: "harbour-desk", agent_version: "2.3.0", agent_name: "Harbour Desk", model: "kestrel-4" };

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-015",
    document: "agent.session.completed",
    valid: [
      { name: "seconds", at: "/timestamp", says: "has no fraction", data: at("2026-01-15T09:30:11Z") },
      {
        name: "milliseconds",
        at: "/timestamp",
        says: "has 3 digits",
        data: at("2026-01-15T09:30:11.342Z"),
        edge: true,
      },
      {
        name: "microseconds",
        at: "/timestamp",
        says: "has 6 digits",
        data: at("2026-01-15T09:30:11.342123+05:30"),
        edge: true,
      },
      { name: "leap-day", at: "/timestamp", says: "is on a leap day", data: at("2024-02-29T23:59:59.999-11:00") },
      {
        name: "unknown-offset",
        at: "/timestamp",
        says: "says that the offset is not known",
        data: at("2026-01-15T09:30:11-00:00"),
        edge: true,
      },
    ],
    invalid: [
      { name: "one-digit", says: "has 1 digit", change: add("/timestamp", "2026-01-15T09:30:11.3Z") },
      { name: "two-digits", says: "has 2 digits", change: add("/timestamp", "2026-01-15T09:30:11.34Z"), edge: true },
      { name: "four-digits", says: "has 4 digits", change: add("/timestamp", "2026-01-15T09:30:11.3421Z"), edge: true },
      {
        name: "five-digits",
        says: "has 5 digits",
        change: add("/timestamp", "2026-01-15T09:30:11.34212Z"),
        edge: true,
      },
      { name: "seven-digits", says: "has 7 digits", change: add("/timestamp", "2026-01-15T09:30:11.3421234Z") },
      { name: "nine-digits", says: "has 9 digits", change: add("/timestamp", "2026-01-15T09:30:11.342123456Z") },
      { name: "small-t", says: "has a small t", change: add("/timestamp", "2026-01-15t09:30:11Z") },
      { name: "small-z", says: "has a small z", change: add("/timestamp", "2026-01-15T09:30:11z") },
      { name: "space", says: "has a space for T", change: add("/timestamp", "2026-01-15 09:30:11Z") },
      {
        name: "offset-without-colon",
        says: "has no colon in its offset",
        change: add("/timestamp", "2026-01-15T09:30:11+0530"),
      },
      {
        name: "hours-only-offset",
        says: "has no minutes in its offset",
        change: add("/timestamp", "2026-01-15T09:30:11+05"),
      },
      {
        name: "two-digits-and-offset",
        says: "has 2 digits before the offset",
        change: add("/timestamp", "2026-01-15T09:30:11.34+01:00"),
      },
    ],
    disputed: [
      {
        name: "leap-second",
        says: "is a leap second",
        change: add("/timestamp", "2016-12-31T23:59:60Z"),
        readings: [
          { verdict: "valid", by: ["position"], why: "23:59:60 UTC is a moment in RFC 3339 (5.7)" },
          {
            verdict: "invalid",
            ids: ["leap-seconds-unknown"],
            by: ["implementations"],
            why: "a clock without leap seconds, as of POSIX, has no such moment",
          },
        ],
      },
    ],
  },
  {
    rule: "AAEP-ENV-015",
    document: "envelope",
    valid: [
      {
        name: "milliseconds",
        at: "/timestamp",
        says: "has 3 digits",
        data: extensionEvent({ timestamp: "2026-01-15T09:30:11.000Z" }),
        edge: true,
      },
    ],
    invalid: [{ name: "one-digit", says: "has 1 digit", change: add("/timestamp", "2026-01-15T09:30:11.0Z") }],
  },
  {
    rule: "AAEP-ENV-019",
    document: "agent.session.started",
    valid: [
      {
        name: "all-given",
        at: "/producer",
        says: "is described in full",
        data: event("agent.session.started", { producer: described }),
      },
      { name: "none-given", at: "/producer", says: "has a name alone", data: event("agent.session.started") },
      {
        name: "one-sign-each",
        at: "/producer",
        says: "is described by one sign each",
        data: event("agent.session.started", {
          producer: { agent_id: "h", agent_version: "2", agent_name: " ", model: "k" },
        }),
        edge: true,
      },
    ],
    invalid: ["agent_version", "agent_name", "model"].map((name) => ({
      name: `empty-${name.replace("_", "-")}`,
      says: "is empty",
      change: add(`/producer/${name}`, ""),
      edge: true,
    })),
  },
  {
    rule: "AAEP-ENV-019",
    document: "subscription.accepted",
    valid: [
      {
        name: "all-given",
        at: "/producer",
        says: "is described in full",
        data: acceptance({}, { producer: described }),
      },
    ],
    invalid: ["agent_version", "agent_name", "model"].map((name) => ({
      name: `empty-${name.replace("_", "-")}`,
      says: "is empty",
      change: add(`/producer/${name}`, ""),
      level: "SHOULD" as const,
    })),
  },
  {
    rule: "AAEP-ENV-032",
    document: "agent.progress.updated",
    valid: [
      { name: "release", at: "/aaep_version", says: "is the release", data: event("agent.progress.updated") },
      {
        name: "draft",
        at: "/aaep_version",
        says: "is the draft",
        data: event("agent.progress.updated", { aaep_version: "0.1.0-draft" }),
        edge: true,
      },
      {
        name: "absent",
        says: "does not say its version",
        data: event("agent.progress.updated", { aaep_version: undefined }),
      },
    ],
    invalid: [
      { name: "far-out", says: "was never published", change: add("/aaep_version", "99.0.0") },
      { name: "next-major", says: "is the next major version", change: add("/aaep_version", "2.0.0"), edge: true },
      {
        name: "draft-without-its-mark",
        says: "lacks the word draft",
        change: add("/aaep_version", "0.1.0"),
        edge: true,
      },
      { name: "draft-in-capitals", says: "has Draft in capitals", change: add("/aaep_version", "0.1.0-DRAFT") },
      { name: "leading-zero", says: "has a zero before the one", change: add("/aaep_version", "01.0.0") },
      { name: "ten", says: "only begins with a one", change: add("/aaep_version", "10.0.0") },
      { name: "newer-minor", says: "may be newer than this", change: add("/aaep_version", "1.29.0"), level: "SHOULD" },
      { name: "newer-patch", says: "may be newer than this", change: add("/aaep_version", "1.0.30"), level: "SHOULD" },
    ],
  },
  {
    rule: "AAEP-VER-001",
    document: "agent.session.started",
    valid: [
      { name: "stated", at: "/aaep_version", says: "is stated", data: event("agent.session.started") },
      {
        name: "draft-stated",
        at: "/aaep_version",
        says: "is stated",
        data: event("agent.session.started", { aaep_version: "0.1.0-draft", producer: described }),
        edge: true,
      },
    ],
    invalid: [
      { name: "absent", at: "", says: "does not say its version", change: remove("/aaep_version") },
      {
        name: "agent-version-alone",
        from: "draft-stated",
        at: "",
        says: "says the agent's version, and not the protocol's",
        change: remove("/aaep_version"),
      },
    ],
  },
];
