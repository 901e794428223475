import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { acceptance, event, extensionEvent, request, tidewatch } from "./messages.ts";

const gauge = { gauge: "north" };
const extended = event("agent.state.changed", {
  "@context": [coreContext, tidewatch],
  extensions: { tidewatch: gauge },
});

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-004",
    document: "agent.state.changed",
    valid: [
      {
        name: "core-context-first",
        at: "/@context",
        says: "begins with the core one",
        data: event("agent.state.changed", { "@context": [coreContext, tidewatch] }),
      },
    ],
    invalid: [],
    disputed: [
      {
        name: "core-context-twice",
        says: "is the core one again",
        change: set("/@context/1", coreContext),
        readings: [
          { verdict: "valid", by: ["schema"], why: "any absolute URI may follow the first" },
          { verdict: "invalid", by: ["position"], why: "nothing is gained by it, so it deserves a warning" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-LIFE-007",
    document: "agent.session.started",
    valid: [
      {
        name: "tool-in-two-spellings",
        at: "/tools_available",
        says: "has two texts that differ in their code points, and look alike",
        data: event("agent.session.started", { tools_available: ["caf\u00e9", "cafe\u0301"] }),
        edge: true,
      },
    ],
    invalid: [],
  },
  {
    rule: "AAEP-ENV-030",
    document: "agent.state.changed",
    valid: [
      { name: "context-listed", at: "/@context", says: "lists the extension's context", data: extended },
      {
        name: "no-data",
        at: "/extensions",
        says: "is empty",
        data: event("agent.state.changed", { extensions: {} }),
        edge: true,
      },
    ],
    invalid: [
      { name: "core-context-alone", says: "is the core one alone", change: add("/@context", coreContext) },
      {
        name: "list-of-the-core-context",
        at: "/@context",
        says: "lists the core one alone",
        change: remove("/@context/1"),
        edge: true,
      },
      {
        name: "core-context-twice",
        at: "/@context",
        says: "repeats the core one in place of the extension's",
        change: set("/@context/1", coreContext),
      },
      {
        name: "empty-data",
        from: "no-data",
        at: "/@context",
        says: "lists no extension although one has a key, if an empty one",
        change: add("/extensions/tidewatch", {}),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-EXT-001",
    document: "agent.tool.invoked",
    valid: [
      {
        name: "own-prefix",
        at: "/extensions/haptic",
        says: "is free to take",
        data: event("agent.tool.invoked", {
          "@context": [coreContext, tidewatch],
          extensions: { haptic: { pattern: "double" } },
        }),
      },
      {
        name: "begins-like-reserved-ones",
        at: "/extensions",
        says: "has prefixes that only begin with reserved ones",
        data: event("agent.tool.invoked", {
          "@context": [coreContext, tidewatch],
          extensions: { rdfa: {}, xsdx: {}, aaepx: {} },
        }),
        edge: true,
      },
    ],
    invalid: ["aaep", "xsd", "rdf", "rdfs", "@tide"].map((prefix) => ({
      name: `data-under-${prefix.replace("@", "at-")}`,
      at: `/extensions/${prefix}`,
      says: "is a reserved prefix",
      change: add(`/extensions/${prefix}`, {}),
    })),
  },
  {
    rule: "AAEP-EXT-001",
    document: "envelope",
    valid: [
      { name: "type-with-own-prefix", at: "/type", says: "has a prefix that is free to take", data: extensionEvent() },
    ],
    invalid: ["xsd", "rdf", "rdfs"].map((prefix) => ({
      name: `type-with-${prefix}`,
      says: "has a reserved prefix",
      change: add("/type", `${prefix}:gate.opened`),
    })),
  },
  {
    rule: "AAEP-EXT-001",
    document: "subscription.request",
    valid: [
      {
        name: "own-capability",
        at: "/capabilities/haptic",
        says: "is free to take",
        data: request({ haptic: { amplitude: 3 } }, { extensions: { haptic: {} } }),
      },
    ],
    invalid: [
      { name: "capability-under-rdf", says: "is a reserved prefix", change: add("/capabilities/rdf", {}) },
      { name: "data-under-aaep", says: "is a reserved prefix", change: add("/extensions/aaep", {}) },
    ],
  },
  {
    rule: "AAEP-EXT-001",
    document: "subscription.accepted",
    valid: [
      {
        name: "own-capability",
        at: "/honored_capabilities/haptic",
        says: "is free to take",
        data: acceptance({ haptic: { amplitude: 2 } }),
      },
    ],
    invalid: [
      { name: "capability-under-xsd", says: "is a reserved prefix", change: add("/honored_capabilities/xsd", {}) },
    ],
  },
  {
    rule: "AAEP-EXT-002",
    document: "envelope",
    valid: [
      { name: "own-type", at: "/type", says: "has the extension's prefix", data: extensionEvent() },
      {
        name: "context-on-the-same-host",
        at: "/@context/1",
        says: "lies on the host of the core, outside its namespace",
        data: extensionEvent({ "@context": [coreContext, "https://aaep-protocol.org/extensions/tidewatch/v1"] }),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "type-with-core-prefix",
        says: "has the prefix of the core",
        change: add("/type", "aaep:agent.tide.alert"),
      },
      {
        name: "type-in-core-namespace",
        says: "lies in the namespace of the core",
        change: add("/type", "https://aaep-protocol.org/types/tide.alert"),
      },
      {
        name: "context-in-core-namespace",
        says: "lies in the namespace of the core",
        change: set("/@context/1", "https://aaep-protocol.org/types/tidewatch/v1"),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-EXT-002",
    document: "subscription.request",
    valid: [
      {
        name: "own-context",
        at: "/capabilities/supported_extensions/0",
        says: "is the extension's own",
        data: request({ supported_extensions: [tidewatch] }),
      },
    ],
    invalid: [
      {
        name: "context-in-core-namespace",
        says: "lies in the namespace of the core",
        change: add("/capabilities/supported_extensions/-", "https://aaep-protocol.org/types/tidewatch/v1"),
        at: "/capabilities/supported_extensions/1",
      },
    ],
  },
  {
    rule: "AAEP-EXT-012",
    document: "envelope",
    valid: [
      {
        name: "named-and-numbered",
        says: "has a word as prefix, and a context with a version",
        data: extensionEvent(),
      },
      {
        name: "two-letters",
        at: "/type",
        says: "has a prefix of two letters",
        data: extensionEvent({ type: "tw:gate.opened", extensions: { tw: gauge } }),
        edge: true,
      },
      {
        name: "version-as-number",
        at: "/@context/1",
        says: "ends in the bare major version",
        data: extensionEvent({ "@context": [coreContext, "https://tidewatch.example/context/9"] }),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "type-of-one-letter",
        says: "has a prefix of one letter",
        change: add("/type", "t:gate.opened"),
        edge: true,
      },
      {
        name: "data-under-one-letter",
        from: "two-letters",
        says: "is a prefix of one letter",
        change: add("/extensions/t", gauge),
      },
      {
        name: "no-version",
        says: "says no version",
        change: set("/@context/1", "https://tidewatch.example/context"),
      },
      {
        name: "digits-in-the-host-alone",
        says: "has digits in its host, and no version",
        change: set("/@context/1", "https://v1.tidewatch.example/context"),
      },
    ],
  },
  {
    rule: "AAEP-EXT-012",
    document: "subscription.request",
    valid: [
      {
        name: "named-and-numbered",
        at: "/capabilities",
        says: "names an extension by a word, and its context with a version",
        data: request({ supported_extensions: [tidewatch], tidewatch: gauge }),
      },
    ],
    invalid: [
      { name: "capability-of-one-letter", says: "is a prefix of one letter", change: add("/capabilities/t", gauge) },
      {
        name: "no-version",
        says: "says no version",
        change: add("/capabilities/supported_extensions/0", "https://tidewatch.example/context/latest"),
      },
    ],
  },
];
