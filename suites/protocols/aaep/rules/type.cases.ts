import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { event, extensionEvent } from "./messages.ts";

const document = "envelope";
const core = event("agent.state.changed");

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-007",
    document,
    valid: [
      { name: "prefix-and-name", at: "/type", says: "is a prefix, a colon and a name", data: extensionEvent() },
      {
        name: "address",
        at: "/type",
        says: "is an absolute URI",
        data: extensionEvent({ type: "https://tidewatch.example/types/gate.opened" }),
      },
      {
        name: "several-colons",
        at: "/type",
        says: "is a URI with a second colon",
        data: extensionEvent({ type: "urn:tidewatch:gate" }),
        edge: true,
      },
      {
        name: "one-letter-each",
        at: "/type",
        says: "has one sign after the colon",
        data: extensionEvent({ type: "tw:1" }),
        edge: true,
      },
    ],
    invalid: [
      { name: "bare-name", says: "has no prefix", change: add("/type", "gate.opened") },
      {
        name: "core-prefix-and-space",
        says: "has the prefix of the core, and a space",
        change: add("/type", "aaep:gate opened"),
      },
      {
        name: "core-name-without-prefix",
        says: "lacks the prefix of the core",
        change: add("/type", "session.started"),
      },
      { name: "nothing-before-colon", says: "begins with the colon", change: add("/type", ":gate.opened") },
      { name: "nothing-after-colon", says: "ends with the colon", change: add("/type", "tidewatch:"), edge: true },
      { name: "space", says: "contains a space", change: add("/type", "tidewatch:gate opened") },
      { name: "space-before", says: "begins with a space", change: add("/type", " tidewatch:gate.opened") },
      { name: "line-feed-after", says: "ends with a line feed", change: add("/type", "tidewatch:gate.opened\n") },
      { name: "digit-first", says: "begins with a digit", change: add("/type", "4tides:gate.opened") },
    ],
    disputed: [
      {
        name: "no-break-space",
        says: "contains a no-break space",
        change: add("/type", "tidewatch:gate\u00a0opened"),
        readings: [
          { verdict: "invalid", by: ["position"], why: "it is a space, and no URI has one" },
          { verdict: "valid", by: ["RFC 3987"], why: "an IRI may have it, and many engines know only spaces of ASCII" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-ENV-008",
    document,
    valid: [
      { name: "core-type", at: "/type", says: "is one of the twelve", data: core },
      {
        name: "prefix-that-begins-alike",
        at: "/type",
        says: "has a prefix of its own that only begins with aaep",
        data: extensionEvent({ type: "aaepx:agent.purple" }),
        edge: true,
      },
    ],
    invalid: [
      { name: "made-up", says: "is no core type", change: add("/type", "aaep:agent.purple.flamingo") },
      {
        name: "other-case",
        says: "has a capital letter",
        change: add("/type", "aaep:agent.state.Changed"),
        edge: true,
      },
      { name: "cut-short", says: "is the beginning of a core type", change: add("/type", "aaep:agent.state") },
      { name: "longer", says: "goes on after a core type", change: add("/type", "aaep:agent.state.changed.again") },
      { name: "manifest", says: "is the type of a manifest", change: add("/type", "aaep:producer.manifest") },
      {
        name: "made-up-and-written-out",
        says: "is no core type, written as a URI",
        change: add("/type", "https://aaep-protocol.org/types/agent.state.paused"),
      },
    ],
  },
  {
    rule: "AAEP-ENV-009",
    document,
    valid: [
      { name: "compact", at: "/type", says: "has the prefix", data: core },
      {
        name: "other-namespace",
        at: "/type",
        says: "is a URI elsewhere on the same host",
        data: extensionEvent({ type: "https://aaep-protocol.org/extensions/tidewatch/gate.opened" }),
        edge: true,
      },
      {
        name: "error",
        at: "/type",
        says: "has the prefix",
        data: event("agent.session.errored"),
      },
    ],
    invalid: [
      {
        name: "written-out",
        says: "has the namespace in place of the prefix",
        change: add("/type", "https://aaep-protocol.org/types/agent.state.changed"),
      },
      {
        name: "error-written-out",
        from: "error",
        says: "has the namespace in place of the prefix",
        change: add("/type", "https://aaep-protocol.org/types/agent.session.errored"),
      },
    ],
  },
  {
    rule: "AAEP-EXT-004",
    document,
    valid: [
      { name: "context-listed", at: "/@context", says: "lists the extension's context", data: extensionEvent() },
      {
        name: "core-type-alone",
        at: "/@context",
        says: "is the core one, and so is the type",
        data: core,
        edge: true,
      },
      {
        name: "address-as-type",
        at: "/@context",
        says: "lists the extension's context",
        data: extensionEvent({ type: "https://tidewatch.example/types/gate.opened" }),
      },
    ],
    invalid: [
      { name: "core-context-alone", says: "is the core one alone", change: add("/@context", coreContext) },
      {
        name: "list-of-the-core-context",
        says: "lists the core one alone",
        change: remove("/@context/1"),
        at: "/@context",
      },
      {
        name: "address-as-type-and-core-context",
        from: "address-as-type",
        says: "is the core one alone",
        change: add("/@context", coreContext),
      },
    ],
    disputed: [
      {
        name: "core-context-twice",
        says: "repeats the core one in place of an extension's",
        at: "/@context",
        change: set("/@context/1", coreContext),
        readings: [
          { verdict: "valid", by: ["position"], why: "the list has two entries" },
          { verdict: "invalid", by: ["specification 3.9"], why: "no entry belongs to the extension" },
        ],
      },
    ],
  },
];
