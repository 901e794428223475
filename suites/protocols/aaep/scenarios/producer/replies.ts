import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { knownOf } from "../subscribing/known.ts";
import { open } from "../subscribing/open.ts";
import { toProducer } from "./scenario.ts";
import {
  type Asked,
  answer,
  askedOf,
  clarification,
  confirmation,
  doneIn,
  endOf,
  fence,
  goesOn,
  isDone,
  mustBeIgnored,
  rejected,
} from "./story.ts";

/** Sends replies that must not count, each to a question of its own; then a rejection shows that the question is still open. */
async function mustIgnore(
  context: ScenarioContext,
  rule: string,
  bad: readonly [what: string, reply: (asked: Asked) => Promise<JsonObject | string>][],
  more: JsonObject = {},
): Promise<void> {
  const line = await open(context);
  for (const [what, reply] of bad) {
    const asked = await askedOf(line, context, "irreversible", more);
    await answer(line, await reply(asked));
    await mustBeIgnored(asked, rule, what);
  }
}

/** A token with another case, another end, or a part of it. */
function mutations(token: string): [what: string, token: string][] {
  const last = token.endsWith("a") ? "b" : "a";
  const flipped = token.replace(/[A-Za-z](?=[^A-Za-z]*$)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [
    ["a token with another last character", `${token.slice(0, -1)}${last}`],
    ["a token in another case", `rpl_${flipped.slice(4)}`],
    ["a token cut short", token.slice(0, -1)],
    ["a token with a space after it", `${token} `],
  ].filter(([, each]) => each !== token) as [string, string][];
}

export const replies: readonly Scenario[] = [
  toProducer({
    name: "reply-invalid",
    says: "a reply that is invalid under its schema is ignored",
    rules: ["AAEP-RPL-008"],
    play: (context) =>
      mustIgnore(context, "AAEP-RPL-008", [
        ["an acceptance with an unknown member", (asked) => confirmation(asked, "accept", { urgent: true })],
        [
          "an acceptance without a timestamp",
          async (asked) => without(await confirmation(asked, "accept"), "timestamp"),
        ],
        ["an acceptance by number", (asked) => confirmation(asked, "accept", { decided_by: 7 })],
      ]),
  }),
  toProducer({
    name: "reply-forged",
    says: "a reply with a token that was never issued is ignored",
    rules: ["AAEP-RPL-009"],
    play: (context) =>
      mustIgnore(context, "AAEP-RPL-009", [
        ["a token made up", (asked) => confirmation(asked, "accept", { reply_token: token(context) })],
        ...["another last character", "another case", "its end missing", "a space after it"].map(
          (_, index) =>
            [
              "an altered token",
              (asked: Asked) => {
                const [, altered] = mutations(asked.token)[index] ?? ["", token(context)];
                return confirmation(asked, "accept", { reply_token: altered });
              },
            ] as [string, (asked: Asked) => Promise<JsonObject>],
        ),
      ]),
  }),
  toProducer({
    name: "reply-stale",
    says: "a token that was used up does nothing, for its own question or a later one",
    rules: ["AAEP-RPL-010"],
    async play(context) {
      const line = await open(context);
      const first = await askedOf(line, context, "irreversible");
      const accept = await confirmation(first, "accept");
      await answer(line, accept);
      if ((await endOf(first)) === undefined) return context.skip("AAEP-RPL-010", "the first acceptance had no effect");
      const once = await doneIn(first);
      const twice = await askedOf(line, context, "irreversible");
      for (const decision of ["accept", "accept", "reject"]) await answer(line, await confirmation(twice, decision));
      await endOf(twice);
      const second = await askedOf(line, context, "irreversible");
      await answer(line, accept);
      await answer(line, await confirmation(first, "accept"));
      await mustBeIgnored(second, "AAEP-RPL-010", "a used token");
      for (const asked of [first, twice])
        for (const [tool, times] of await doneIn(asked)) {
          if (times <= Math.max(1, once.get(tool) ?? 0)) continue;
          context.expect("AAEP-RPL-010", false, `${tool} was called ${times} times on one acceptance, sent repeatedly`);
        }
    },
  }),
  toProducer({
    name: "reply-late",
    says: "a reply after the time of its question is ignored, and so is one that is stamped so",
    rules: ["AAEP-RPL-011"],
    waits: 6000,
    async play(context) {
      await mustIgnore(context, "AAEP-RPL-011", [
        [
          "an acceptance stamped after the deadline",
          (asked) => confirmation(asked, "accept", { timestamp: stampOf(asked, 1) }),
        ],
      ]);
      const seconds = 2;
      const asked = await askedOf(await open(context), context, "irreversible", { timeout_seconds: seconds });
      if (Number(asked.question.timeout_seconds) > 10)
        return context.skip("AAEP-RPL-011", `its questions stay open for ${asked.question.timeout_seconds} s`);
      await context.pass(Number(asked.question.timeout_seconds) * 1000 + 3000);
      if ((await goesOn(asked)) === undefined) return context.skip("AAEP-RPL-011", "the question did not expire");
      await endOf(asked);
      if (await isDone(asked)) return context.skip("AAEP-RPL-011", "it acted when the time was up");
      for (const timestamp of [undefined, stampOf(asked, -1)])
        await answer(asked.line, await confirmation(asked, "accept", timestamp === undefined ? {} : { timestamp }));
      await fence(asked.line, context);
      context.expect("AAEP-RPL-011", !(await isDone(asked)), "an acceptance after the deadline was carried out");
    },
  }),
  toProducer({
    name: "reply-not-allowed",
    says: "a decision that the question does not allow is ignored",
    rules: ["AAEP-RPL-013"],
    async play(context) {
      const given = { allowed_replies: ["reject"] };
      const line = await open(context);
      const asked = await askedOf(line, context, "irreversible", given);
      const { allowed_replies: allowed } = asked.question;
      if (!Array.isArray(allowed) || allowed.includes("accept"))
        return context.skip("AAEP-RPL-013", "its questions allow both decisions");
      await answer(line, await confirmation(asked, "accept"));
      await mustBeIgnored(asked, "AAEP-RPL-013", "an acceptance that is not allowed");
    },
  }),
  toProducer({
    name: "reply-of-other-kind",
    says: "a confirmation is not settled by a clarification reply, nor the other way about",
    rules: ["AAEP-RPL-020"],
    async play(context) {
      await mustIgnore(context, "AAEP-RPL-020", [
        ["a clarification reply that says accept", (asked) => clarification(asked, "accept")],
        ["a clarification reply that says true", (asked) => clarification(asked, true)],
      ]);
    },
  }),
  toProducer({
    name: "reply-after-ignored",
    says: "a question stays open after a reply that was ignored",
    rules: ["AAEP-RPL-016"],
    async play(context) {
      const line = await open(context);
      const asked = await askedOf(line, context, "irreversible");
      await answer(line, await confirmation(asked, "accept", { urgent: true }));
      await answer(line, await confirmation(asked, "reject"));
      const next = await goesOn(asked);
      if (next === undefined) {
        const probe = await askedOf(line, context, "irreversible");
        if (!(await rejected(probe))) return context.skip("AAEP-RPL-016", "rejections have no effect at all");
      }
      const why = "a valid reply had no effect after an invalid one with the same token";
      context.expect("AAEP-RPL-016", next !== undefined, why);
    },
  }),
  toProducer({
    name: "reply-first-wins",
    says: "the first valid reply decides, and later ones have no effect, whoever sends them",
    rules: ["AAEP-RPL-015"],
    async play(context) {
      const [one, other] = [await open(context), await open(context, { name: "other" })];
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        const asked = await askedOf(one, context, "irreversible");
        await answer(first, await confirmation({ ...asked, line: first }, "reject"));
        await fence(one, context);
        if (await isDone(asked)) return context.skip("AAEP-RPL-015", "a rejection has the action carried out");
        await answer(second, await confirmation({ ...asked, line: second }, "accept"));
        if ((await endOf(asked)) === undefined) return context.skip("AAEP-RPL-015", "the rejection had no effect");
        context.expect("AAEP-RPL-015", !(await isDone(asked)), "an acceptance after a rejection was carried out");
      }
    },
  }),
  toProducer({
    name: "reply-in-its-session",
    says: "a token settles the question of its own session and no other",
    rules: ["AAEP-RPL-018"],
    async play(context) {
      const line = await open(context);
      const [one, two] = [await askedOf(line, context, "irreversible"), await askedOf(line, context, "irreversible")];
      await answer(line, await confirmation(one, "accept"));
      if ((await endOf(one)) === undefined) return context.skip("AAEP-RPL-018", "the acceptance had no effect");
      await mustBeIgnored(two, "AAEP-RPL-018", "an acceptance in another session");
    },
  }),
  toProducer({
    name: "reply-forwarded",
    says: "an answer comes through another subscription that can reply",
    rules: ["AAEP-RPL-023"],
    async play(context) {
      const mute = await open(context, { capabilities: { supports_confirmation_reply: false }, name: "mute" });
      if (mute.accepted === undefined) throw new TargetSkip("without a handshake every subscription can answer");
      const able = await open(context, { name: "able" });
      const asked = await askedOf(able, context, "irreversible");
      const shown = await mute.inbox.seen(({ reply_token: each }) => each === asked.token, 500);
      if (shown === undefined) return context.skip("AAEP-RPL-023", "only those are asked who can answer");
      await answer(able, await confirmation(asked, "accept"));
      const next = await goesOn(asked);
      const why = "a reply forwarded through a subscription that can reply has no effect";
      context.expect("AAEP-RPL-023", next !== undefined, why);
    },
  }),
  toProducer({
    name: "reply-reasons",
    says: "replies that fail are answered alike",
    rules: ["AAEP-RPL-014"],
    needs: ["start", "url"],
    async play(context) {
      const line = await open(context);
      const asked = await askedOf(line, context, "irreversible");
      const bad: [what: string, reply: JsonObject][] = [
        ["an unknown token", await confirmation(asked, "accept", { reply_token: token(context) })],
        ["a reply of the wrong kind", await clarification(asked, "accept")],
        ["a stamp after the deadline", await confirmation(asked, "accept", { timestamp: stampOf(asked, 1) })],
      ];
      const answers: [string, string][] = [];
      for (const [what, reply] of bad) {
        const said = await answer(line, reply);
        if (said === undefined) throw new TargetSkip("on this binding replies are not answered");
        answers.push([what, `HTTP ${said.status} ${shape(said.json ?? said.text)}`]);
      }
      await rejected(asked);
      const [first, ...others] = answers as [[string, string], ...[string, string][]];
      for (const [what, text] of others) {
        const why = `${first[0]} and ${what} are answered differently: ${first[1]} and ${text}`;
        context.expect("AAEP-RPL-014", text === first[1], why);
      }
    },
  }),
  toProducer({
    name: "reply-channel",
    says: "there is a way for replies",
    rules: ["AAEP-TRN-007"],
    async play(context) {
      const line = await open(context);
      const asked = await askedOf(line, context, "irreversible");
      const said = await line.send(await confirmation(asked, "reject"));
      const { paths } = knownOf(context);
      if (said === undefined && (await endOf(asked)) === undefined) throw new TargetSkip("rejections have no effect");
      const isThere = said === undefined || ![404, 405, 501].includes(said.status);
      context.expect("AAEP-TRN-007", isThere, `replies cannot be posted to ${paths.replies}: HTTP ${said?.status}`);
    },
  }),
];

/** What distinguishes answers, and no ids that any answer may have of its own. */
function shape(body: JsonObject[string]): string {
  const text = JSON.stringify(isObject(body) ? { ...body, request_id: undefined, timestamp: undefined } : body);
  return text.replaceAll(/rpl_[A-Za-z0-9]*/g, "rpl_…");
}

function token(context: ScenarioContext): string {
  return `rpl_${context
    .fresh("forged")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 60)}`;
}

/** A stamp so many seconds after a question's deadline. */
function stampOf({ question }: Asked, seconds: number): string {
  const deadline = Date.parse(String(question.timestamp)) + Number(question.timeout_seconds) * 1000;
  return new Date(deadline + seconds * 1000).toISOString();
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}
