import type { JsonObject, Scenario } from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { confirmationPayload, createScript, idFor, vocabulary } from "../producing/events.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { frameForms, specialCharacters } from "./frames.ts";
import { expectPresented } from "./presented-events.ts";
import {
  awaitFence,
  connect,
  findPresented,
  isPresented,
  matcherOf,
  readPresented,
  sendEvent,
  toSubscriber,
  waitUntilPresented,
} from "./session.ts";

/** Several ways to write an event as JSON. */
const spellings: readonly [description: string, serialize: (event: JsonObject) => string][] = [
  ["compact", (event) => JSON.stringify(event)],
  ["in another order", (event) => JSON.stringify(reverseMembers(event))],
  ["over several lines", (event) => JSON.stringify(event, null, 2)],
];

/** Adds special characters to each summary of an event. */
function addSpecialCharacters(event: JsonObject): JsonObject {
  const summaries = Object.entries(event).filter(([name]) => name.startsWith("summary_"));
  return { ...event, ...Object.fromEntries(summaries.map(([name, text]) => [name, `${text} ${specialCharacters}`])) };
}

function reverseMembers(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).reverse());
}

/** Scenarios on the events that must be presented to the user. */
export const presentationScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "announced",
    says: "the start and the end of a session are announced, and each call of a tool",
    rules: ["AAEP-SUB-002"],
    async play(context) {
      const session = await connect(context);
      for (const name of ["session.started", "tool.invoked", "session.completed"]) {
        const eventSession = name === "session.started" ? { ...session, script: createScript(context) } : session;
        const event = sendEvent(eventSession, name);
        const laterSession = { ...session, script: createScript(context) };
        const items = await (name === "tool.invoked"
          ? waitUntilPresented(context, event)
          : findPresented(laterSession, event));
        context.expect("AAEP-SUB-002", items !== undefined, `${name} is not announced`);
      }
    },
  }),
  toSubscriber({
    name: "ends-told-apart",
    says: "a user can see how a session ended",
    rules: ["AAEP-SUB-003"],
    async play(context) {
      const session = await connect(context);
      const announcements: string[] = [];
      for (const name of ["session.completed", "session.errored", "session.cancelled"]) {
        const newSession = { ...session, script: createScript(context) };
        newSession.producer.emit(newSession.script.event("session.started"));
        const sameSummaries = {
          summary_terse: "So it is.",
          summary_normal: "So it is.",
          summary_detailed: "So it is.",
        };
        const event = sendEvent(newSession, name, sameSummaries);
        const itemsBefore = (await readPresented(context)).items.length;
        const items =
          (await waitUntilPresented(context, event)) ?? (await readPresented(context)).items.slice(itemsBefore);
        const item = items.find(matcherOf(event)) ?? items.at(-1);
        if (item?.event_id === undefined)
          return context.skip("AAEP-SUB-003", `the presented item for ${name} has no event_id to identify it`);
        announcements.push(`${item.kind ?? ""}: ${item.text}`);
      }
      const isDistinct = new Set(announcements).size === announcements.length;
      context.expect(
        "AAEP-SUB-003",
        isDistinct,
        `completed, errored and cancelled are announced in the same way: "${announcements[0]}"`,
      );
    },
  }),
  toSubscriber({
    name: "unknown-types",
    says: "events of unknown types do not disturb the subscriber",
    rules: ["AAEP-SUB-004"],
    async play(context) {
      const session = await connect(context);
      const { producer } = session;
      const { ended } = producer.streams;
      const extendedContext = { "@context": [vocabulary, "https://touchstone.example/context/v1"] };
      sendEvent(session, "touchstone:tide.turned", { height: 3 }, extendedContext);
      sendEvent(session, "aaep:agent.purple.flamingo", { legs: 2 });
      const foreignType = drawFor(context).one(["https://touchstone.example/types/tide", "a:b", "aaep:producer.tide"]);
      sendEvent(session, foreignType, { height: null }, extendedContext);
      // Wait a little, because a subscriber may present events of the same chunk before it ends the stream.
      await producer.waitUntil(() => producer.streams.ended > ended, 500);
      const isAlive = await awaitFence(session);
      context.expect("AAEP-SUB-004", isAlive, "nothing is presented after events of unknown types");
      const why = "the subscriber ends its connection at an event of an unknown type, and reconnects";
      context.expect("AAEP-SUB-004", producer.streams.ended === ended, why, "SHOULD");
    },
  }),
  toSubscriber({
    name: "unknown-members",
    says: "new optional members and values are tolerated",
    rules: ["AAEP-SUB-005"],
    async play(context) {
      const session = await connect(context);
      const laterPayloads: [string, JsonObject][] = [
        ["tool.invoked", { colour: "blue", aaep_version: "1.7.0" }],
        ["tool.invoked", { producer: { agent_id: "touchstone-producer", colour: "blue" }, aaep_version: "1.7.0" }],
        ["tool.invoked", { localization_hints: { primary_language: "en-GB", colour: "blue" }, aaep_version: "1.7.0" }],
        ["tool.invoked", { risk_level: "tiny", aaep_version: "1.7.0" }],
        ["session.completed", { verbosity: "chatty", aaep_version: "1.7.0" }],
      ];
      for (const [name, payload] of laterPayloads) {
        const [member] = Object.keys(payload);
        const isNested = member === "producer" || member === "localization_hints";
        const unknownMember = isNested ? `an unknown member of its ${member}` : `an unknown ${member}`;
        const why = `${name} with ${unknownMember} of a later version is not presented`;
        await expectPresented(session, sendEvent(session, name, payload), { rule: "AAEP-SUB-005", why });
      }
      const draw = drawFor(context);
      const laterValues: [string, JsonObject][] = [
        ["session.errored", { error_category: draw.one(["network", "policy", "internal_fault"]) }],
        ["session.cancelled", { cancelled_by: draw.one(["policy", "another_agent", "TIMEOUT"]) }],
      ];
      for (const [name, payload] of laterValues) {
        // Each of these events ends its session, so the next one needs a new session.
        const newSession = { ...session, script: createScript(context) };
        newSession.producer.emit(newSession.script.event("session.started"));
        const [[member, value] = []] = Object.entries(payload);
        const why = `${name} with the ${member} "${value}" of a later version is not presented`;
        await expectPresented(newSession, sendEvent(newSession, name, { ...payload, aaep_version: "1.7.0" }), {
          rule: "AAEP-SUB-005",
          why,
        });
      }
    },
  }),
  toSubscriber({
    name: "required-alone",
    says: "the required members are enough",
    rules: ["AAEP-SUB-012"],
    async play(context) {
      const session = await connect(context);
      const fullEvent = session.script.event("tool.invoked");
      const requiredMembers = [
        "@context",
        "type",
        "event_id",
        "session_id",
        "timestamp",
        "producer",
        "tool",
        "summary_normal",
      ];
      const event = Object.fromEntries(Object.entries(fullEvent).filter(([name]) => requiredMembers.includes(name)));
      session.producer.emit(event);
      await expectPresented(session, event, {
        rule: "AAEP-SUB-012",
        why: "an event with only the required members is not presented",
      });
    },
  }),
  toSubscriber({
    name: "unknown-extensions",
    says: "data of unknown extensions is skipped",
    rules: ["AAEP-EXT-011"],
    async play(context) {
      const session = await connect(context);
      const event = sendEvent(session, "tool.invoked", {
        "@context": [vocabulary, "https://touchstone.example/context/v1"],
        extensions: { touchstone: { deep: { er: [1, null] } } },
      });
      await expectPresented(session, event, {
        rule: "AAEP-EXT-011",
        why: "an event with data of an unknown extension is not presented",
      });
    },
  }),
  toSubscriber({
    name: "unknown-states",
    says: "an unknown state is announced in a generic way",
    rules: ["AAEP-STATE-005"],
    async play(context) {
      const session = await connect(context);
      const states = ["moonwalking", drawFor(context).one(["tiding over 🌊", "Thinking", "x", "re-planning.v2"])];
      for (const [index, state] of states.entries()) {
        const event = sendEvent(session, "state.changed", { from_state: states[index - 1] ?? "idle", to_state: state });
        await expectPresented(session, event, {
          rule: "AAEP-STATE-005",
          why: `a change to the state "${state}" is not announced`,
        });
      }
    },
  }),
  toSubscriber({
    name: "other-spellings",
    says: "neither the order of members nor white space matters",
    rules: ["AAEP-ENV-038"],
    async play(context) {
      const session = await connect(context);
      for (const [spelling, serialize] of spellings) {
        const event = session.script.event("tool.invoked");
        session.producer.sendText(serialize(event));
        await expectPresented(session, event, {
          rule: "AAEP-ENV-038",
          why: `an event written ${spelling} is not presented`,
        });
      }
    },
  }),
  toSubscriber({
    name: "other-frames",
    says: "events are found in frames of each form that a stream may have",
    rules: ["AAEP-TRN-002"],
    async play(context) {
      const session = await connect(context);
      let keepsCharacters: boolean | undefined;
      for (const [frameForm, makeFrames, level] of frameForms) {
        const event = addSpecialCharacters(session.script.event("tool.invoked"));
        await session.producer.sendFramed(JSON.stringify(event), makeFrames);
        await expectPresented(session, event, {
          rule: "AAEP-TRN-002",
          why: `an event in a frame ${frameForm} is not presented`,
          level,
        });
        const text = (await readPresented(context)).items.find(matcherOf(event))?.text;
        // The subscriber may change these characters in any frame.
        keepsCharacters ??= text?.includes(specialCharacters) === true;
        if (!keepsCharacters || text === undefined) continue;
        const why = `in an event in a frame ${frameForm}, "${specialCharacters}" is presented as "${text.slice(-40)}"`;
        context.expect("AAEP-TRN-002", text.includes(specialCharacters), why);
      }
    },
  }),
  toSubscriber({
    name: "languages-matched",
    says: "text is presented in any region of a language, and with unhelpful language tags",
    rules: ["AAEP-I18N-004"],
    async play(context) {
      const session = await connect(context, { languages: ["en"] });
      for (const tag of [
        "en-US",
        "en",
        "tlh",
        "yo-NG",
        drawFor(context).one(["ar-EG", "zh-Hant-TW", "pa-Guru", "en-IN"]),
      ]) {
        const event = sendEvent(session, "tool.invoked", { localization_hints: { primary_language: tag } });
        await expectPresented(session, event, {
          rule: "AAEP-I18N-004",
          why: `an event in ${tag} is not presented to a reader of en`,
        });
      }
    },
  }),
  toSubscriber({
    name: "other-forms",
    says: "text in any form of normalization is presented",
    rules: ["AAEP-I18N-008"],
    async play(context) {
      const session = await connect(context);
      for (const form of ["NFD", "NFKC", "NFKD"] as const) {
        const words = `Caf\u00e9 \ufb01n, ${context.fresh("words").replaceAll("-", " ")}`.normalize(form);
        const event = sendEvent(session, "tool.invoked", {
          summary_normal: words,
          summary_terse: words,
          summary_detailed: words,
        });
        await expectPresented(session, event, { rule: "AAEP-I18N-008", why: `text in ${form} is not presented` });
      }
    },
  }),
  toSubscriber({
    name: "critical-presented",
    says: "every critical event is presented, and soon",
    rules: ["AAEP-SUB-006"],
    async play(context) {
      const session = await connect(context);
      const token = idFor(context, "rpl");
      for (const [name, payload] of [
        ["handoff.requested", {}],
        ["awaiting.confirmation", confirmationPayload(token)],
        ["session.errored", {}],
      ] as const) {
        const event = sendEvent(session, name, { ...payload });
        const items = await findPresented({ ...session, script: createScript(context) }, event);
        context.expect("AAEP-SUB-006", items !== undefined, `${name} is not presented, although it is critical`);
      }
    },
  }),
  toSubscriber({
    name: "critical-though-filtered",
    says: "a critical event is handled even if its type was filtered out",
    rules: ["AAEP-SUB-011"],
    async play(context) {
      requireLevel(context, 3);
      if (!(await isPresented(await connect(context), "handoff.requested")))
        return context.skip("AAEP-SUB-011", "handoffs are never presented");
      const session = await connect(context, { exclude: ["aaep:agent.handoff.*"] });
      const requestText = JSON.stringify(session.producer.requests.at(-1) ?? {});
      if (!requestText.includes("aaep:agent.handoff"))
        return context.skip("AAEP-SUB-011", "its request does not exclude handoffs");
      const items = await findPresented(session, sendEvent(session, "handoff.requested"));
      const why = "a critical event of a filtered type is not presented";
      context.expect("AAEP-SUB-011", items !== undefined, why);
    },
  }),
];
