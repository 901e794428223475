import { expect, it } from "vitest";
import { applyChanges, compileAjv } from "../../../../generators/index.ts";
import { documentNamed, type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";

/** For each mistake in the profile, how an implementation with the mistake reads a message. */
const mistakenReadings: readonly [
  document: string,
  mistake: string,
  readMistakenly: (message: JsonObject) => JsonObject,
][] = [
  ["agent.state.changed", "context-with-a-slash", (message) => ({ ...message, "@context": core })],
  ["agent.state.changed", "context-over-http", (message) => ({ ...message, "@context": core })],
  ["agent.state.changed", "first-context-with-a-slash", (message) => ({ ...message, "@context": [core] })],
  [
    "agent.state.changed",
    "core-context-second",
    (message) => ({ ...message, "@context": [...(message["@context"] as Json[])].reverse() }),
  ],
  [
    "agent.state.changed",
    "core-context-second-without-extensions",
    (message) => ({ ...message, "@context": [...(message["@context"] as Json[])].reverse() }),
  ],
  ...["second-60-at-noon", "second-60-at-local-midnight"].map((mistake): (typeof mistakenReadings)[number] => [
    "agent.state.changed",
    mistake,
    (message) => ({ ...message, timestamp: String(message.timestamp).replace(":60", ":59") }),
  ]),
  ...["confirmation.reply", "clarification.reply"].map((document): (typeof mistakenReadings)[number] => [
    document,
    "second-60-at-noon",
    (message) => ({ ...message, timestamp: String(message.timestamp).replace(":60", ":59") }),
  ]),
  [
    "agent.tool.completed",
    "tool-of-257-characters",
    (message) => ({ ...message, tool: String(message.tool).slice(1) }),
  ],
  [
    "agent.output.streaming",
    "content-type-with-a-parameter",
    (message) => ({ ...message, content_type: String(message.content_type).split(";")[0] as string }),
  ],
  [
    "agent.awaiting.confirmation",
    "irreversible-and-with-effort",
    (message) => ({ ...message, irreversible: message.reversibility === "irreversible" }),
  ],
  [
    "agent.awaiting.clarification",
    "third-choice-without-label",
    (message) => ({ ...message, choices: (message.choices as Json[]).slice(0, 2) }),
  ],
  [
    "subscription.request",
    "level-true",
    ({ capabilities, ...message }) => ({
      ...message,
      capabilities: { ...(capabilities as JsonObject), supported_conformance_levels: [1] },
    }),
  ],
];
const aaep = protocolNamed("aaep");
const core = "https://aaep-protocol.org/context/v1";

it.each(mistakenReadings)("a sample of %s reveals the mistake %s", (document, name, readMistakenly) => {
  const { schema, samples = [], mistakes = [] } = documentNamed(aaep, document);
  const accepts = compileAjv(aaep.schemas, schema, "lenient");
  const { sample = 1, change } = mistakes.find((mistake) => mistake.name === name) ?? { change: [] };
  const message = applyChanges(samples[sample - 1] as Json, change) as JsonObject;
  expect(accepts(message)).toBe(false);
  expect(accepts(readMistakenly(message))).toBe(true);
});

it("this list contains every mistake in the profile", () => {
  const namedMistakes = aaep.profile.documents.flatMap(({ name, mistakes = [] }) =>
    mistakes.flatMap((mistake) => (mistake.accepted ? [] : [`${name} ${mistake.name}`])),
  );
  expect(mistakenReadings.map(([document, name]) => `${document} ${name}`).sort()).toEqual(namedMistakes.sort());
});
