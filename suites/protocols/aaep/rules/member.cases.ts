import { add } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { event, extensionEvent } from "./messages.ts";

const terse = { summary_terse: "Two of three." };

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-033",
    document: "agent.state.changed",
    valid: [
      { name: "known-members", says: "has the members of its type alone", data: event("agent.state.changed") },
      {
        name: "in-other-languages",
        says: "has its summary in other languages too",
        data: event("agent.state.changed", {
          summary_normal_yo: "Mo ń ronú.",
          summary_terse_es_419: "Pensando.",
          "summary_detailed_zh-Hant": "正在想哪個碼頭合適。",
        }),
        edge: true,
      },
    ],
    invalid: [
      { name: "made-up", says: "is no member of this event", change: add("/custom_field", "north") },
      { name: "of-another-event", says: "is a member of other events", change: add("/tool", "find_berth") },
      { name: "other-case", says: "is urgency with a capital letter", change: add("/Urgency", "normal") },
      {
        name: "language-by-name",
        says: "ends in a word that is no language tag",
        change: add("/summary_normal_yoruba", "Mo ń ronú."),
        edge: true,
      },
      {
        name: "four-letter-language",
        says: "ends in four letters",
        change: add("/summary_normal_yoru", "Mo ń ronú."),
        edge: true,
      },
      {
        name: "nine-letter-part",
        says: "ends in a part of nine letters",
        change: add("/summary_normal_en_abcdefghi", "Thinking."),
        edge: true,
      },
      {
        name: "one-letter-language",
        says: "ends in one letter",
        change: add("/summary_normal_y", "Mo ń ronú."),
        edge: true,
      },
      {
        name: "foreign-text-in-other-language",
        says: "is the French copy of a text that other events have",
        change: add("/question_fr", "Quel est le nom du bateau ?"),
      },
      {
        name: "state-in-other-language",
        says: "is the copy of a member that nobody reads",
        change: add("/to_state_fr", "réflexion"),
      },
      { name: "amount", says: "is a bare amount", change: add("/amount_raw", 42), level: "SHOULD" },
      { name: "formatted", says: "is a written amount", change: add("/amount_formatted", "42 €"), level: "SHOULD" },
      {
        name: "formatted-in-a-language",
        says: "is a written amount",
        change: add("/amount_formatted_de", "42 €"),
        level: "SHOULD",
      },
      ...["currency", "fx_rate", "fx_rate_source"].map((name) => ({
        name: name.replaceAll("_", "-"),
        says: "tells of a currency",
        change: add(`/${name}`, "EUR"),
        level: "SHOULD" as const,
      })),
    ],
    disputed: [
      {
        name: "newer-version",
        at: "/custom_field",
        says: "may have come with the newer version that the event states",
        change: [...add("/aaep_version", "1.1.0"), ...add("/custom_field", "north")],
        readings: [
          { verdict: "valid", by: ["specification 12.2"], why: "minor versions may add members" },
          { verdict: "invalid", by: ["specification 3.11.5"], why: "no version known here has such a member" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-ENV-033",
    document: "agent.tool.completed",
    valid: [
      {
        name: "message-in-another-language",
        at: "/error_message_fr",
        says: "is the French copy of a text",
        data: event("agent.tool.completed", {
          status: "error",
          error_message: "No answer after 10 s",
          error_message_fr: "Aucune réponse après 10 s",
        }),
      },
    ],
    invalid: [
      {
        name: "tool-in-another-language",
        says: "is the copy of a name, which is no text",
        change: add("/tool_fr", "x"),
      },
    ],
  },
  {
    rule: "AAEP-ENV-033",
    document: "agent.progress.updated",
    valid: [
      {
        name: "in-the-schema-alone",
        at: "/summary_detailed",
        says: "is missing in the text's table, and in the schema",
        data: event("agent.progress.updated", { summary_detailed: "Two of three quays have been searched.", ...terse }),
        edge: true,
      },
    ],
    invalid: [
      { name: "percentage-beside", says: "stands beside progress, not in it", change: add("/progress_percent", 66) },
    ],
  },
  {
    rule: "AAEP-ENV-033",
    document: "agent.session.errored",
    valid: [{ name: "known-members", says: "has the members of its type alone", data: event("agent.session.errored") }],
    invalid: [
      {
        name: "message-of-a-tool",
        says: "is a member of tool.completed",
        change: add("/error_message", "No answer after 10 s"),
      },
    ],
  },
  {
    rule: "AAEP-ENV-033",
    document: "agent.output.streaming",
    valid: [
      {
        name: "chunk-in-another-language",
        at: "/chunk_pt",
        says: "is the chunk in Portuguese",
        data: event("agent.output.streaming", { chunk_pt: "O lugar E14 está livre. " }),
      },
    ],
    invalid: [
      {
        name: "summary",
        says: "is not defined for a chunk",
        change: add("/summary_normal", "Berth E14 is free."),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-ENV-033",
    document: "envelope",
    valid: [
      {
        name: "payload-of-an-extension",
        says: "has what members its extension likes",
        data: extensionEvent({ gauge: "north", level_cm: 412 }),
      },
    ],
    invalid: [],
  },
  {
    rule: "AAEP-ENV-034",
    document: "agent.session.completed",
    valid: [
      { name: "version", at: "/aaep_version", says: "is the one such name", data: event("agent.session.completed") },
      {
        name: "without-version",
        says: "has no such name",
        data: event("agent.session.completed", { aaep_version: undefined }),
        edge: true,
      },
    ],
    invalid: [
      { name: "prefixed", says: "has the reserved prefix", change: add("/aaep_note", "calm") },
      { name: "prefix-alone", says: "is the reserved prefix", change: add("/aaep_", "calm"), edge: true },
      {
        name: "version-in-a-language",
        says: "only begins with aaep_version",
        change: add("/aaep_version_en", "1.0.0"),
        edge: true,
      },
      ...["id", "graph", "base", "vocab"].map((keyword) => ({
        name: `keyword-${keyword}`,
        says: "is a keyword of JSON-LD",
        change: add(`/@${keyword}`, "https://tidewatch.example/gate"),
      })),
    ],
  },
  {
    rule: "AAEP-ENV-034",
    document: "envelope",
    valid: [
      {
        name: "begins-alike",
        at: "/aaepx_note",
        says: "begins with aaep, and no underscore",
        data: extensionEvent({ aaepx_note: "calm" }),
        edge: true,
      },
    ],
    invalid: [
      { name: "prefixed", says: "has the reserved prefix", change: add("/aaep_note", "calm"), level: "SHOULD" },
      {
        name: "keyword-id",
        says: "is a keyword of JSON-LD",
        change: add("/@id", "https://tidewatch.example/gate"),
        level: "SHOULD",
      },
    ],
  },
];
