import {
  type Callback,
  equal,
  isObject,
  type JsonObject,
  type Reaction,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { isSameUrl } from "../../../http/same-url.ts";
import { ahead, deadlineIn, reach } from "./deadline.ts";
import { ask, task } from "./messages.ts";
import {
  askWithPush,
  bind,
  bodyOf,
  comes,
  exceeds,
  firstPush,
  keepsComing,
  pushNeeds,
  pushTo,
  submitPush,
  tooSlow,
} from "./pushes.ts";
import { afterDeadline, inShort, outcomeOf, read, red, resolved, tolerance } from "./steps.ts";
import { tokenOf } from "./tokens.ts";

const [minute, hour] = [60_000, 3_600_000];
const twoDays = 48 * hour;

/** Attempts that no bound is larger than. */
const endless = 200;

/** An ask that is answered, and pushed to a callback that reacts so. */
async function answered(
  stage: ScenarioContext,
  reactions: readonly Reaction[],
): Promise<{ id: string; callback: Callback }> {
  const callback = await stage.callback(reactions);
  const { id } = await askWithPush(stage, callback);
  await resolved(stage, id);
  return { id, callback };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Milliseconds between one attempt and the next by the target's clock, as far as they come before it falls silent. */
async function pauses(stage: ScenarioContext, callback: Callback, most: number): Promise<number[]> {
  const gaps: number[] = [];
  let last = await stage.now();
  while (callback.arrivals.length < most) {
    if (!(await keepsComing(stage, callback, callback.arrivals.length + 1, twoDays))) break;
    const now = await stage.now();
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}

export const delivery: readonly Scenario[] = [
  {
    name: "delivery-push",
    says: "the outcome is posted to the very URL, as JSON and signed",
    rules: ["AHCP-DLV-001"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 120_000,
    async play(stage) {
      const callback = await stage.callback([200], "/a/../b%7e?z=1&a=2&a=%20");
      const { id } = await askWithPush(stage, callback);
      await resolved(stage, id);
      await comes(stage, callback);
      const [first] = callback.arrivals;
      stage.expect("AHCP-DLV-001", first !== undefined, "an ask is answered, and nothing comes to its callback");
      if (first === undefined) return;
      const { method, target, headers } = first;
      const isThere = isSameUrl(new URL(target, callback.url).href, callback.url);
      const why = `it is sent to ${target}, which is not what was given: ${callback.url}`;
      stage.expect("AHCP-DLV-001", method === "POST", `it is sent with ${method}`);
      stage.expect("AHCP-DLV-001", isThere, why);
      const type = headers["content-type"] ?? "";
      stage.expect("AHCP-DLV-001", /^application\/(?:\S+\+)?json\b/i.test(type), `the push is labelled "${type}"`);
      const { in_reply_to: about } = bodyOf(first);
      stage.expect("AHCP-DLV-001", about === id, `the push is no Response to ${id}`);
      const isSigned = headers["ahcp-signature"] !== undefined;
      stage.expect("AHCP-DLV-001", isSigned, "the push has no header AHCP-Signature");
    },
  },
  {
    name: "delivery-endings",
    says: "every way to end is pushed",
    rules: ["AHCP-DLV-002"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 300_000,
    waits: 12_000,
    async play(stage) {
      const endings: [make: typeof ask, given: JsonObject | undefined][] = [
        [ask, red],
        [ask, { resolution: "declined" }],
        [task, { resolution: "completed" }],
        [task, { resolution: "dismissed" }],
        [ask, undefined],
        [task, undefined],
      ];
      for (const [make, given] of endings) {
        const callback = await stage.callback([200]);
        const deadline = await deadlineIn(stage, ahead(stage));
        const times = given === undefined ? deadline.members : {};
        const { id } = await submitPush(stage, make(stage, times, await pushTo(stage, callback.url)));
        if (given !== undefined) await resolved(stage, id, given);
        else {
          // Who waits for a push reads nothing: it must not take a read to notice.
          await reach(stage, deadline, (1 + tolerance) * 1000);
          const hasComeAlone = await stage.come(callback, 1, tolerance * 1000);
          // That it expires is another rule's matter.
          if (!hasComeAlone && (await afterDeadline(stage, id)).status !== "expired") continue;
          const what = `${2 * tolerance} s after its deadline it is not pushed that a message expired, which nobody has read`;
          stage.expect("AHCP-DLV-002", hasComeAlone, what);
          continue;
        }
        const hasCome = await comes(stage, callback);
        stage.expect("AHCP-DLV-002", hasCome, `that a message was ${given.resolution} is not pushed`);
      }
    },
  },
  {
    name: "delivery-again",
    says: "after a failure it is tried again",
    rules: ["AHCP-DLV-003"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    async play(stage) {
      const failures: [what: string, reaction: Reaction][] = [
        ["HTTP 503", 503],
        ["HTTP 500 with half a body", { status: 500, half: true }],
        ["a connection that breaks", "reset"],
      ];
      for (const [what, reaction] of failures) {
        const { callback } = await answered(stage, [reaction, 200]);
        await firstPush(stage, callback);
        const isRepeated = await keepsComing(stage, callback, 2, twoDays);
        if (!isRepeated && !stage.has("clock")) return stage.skip("AHCP-DLV-003", tooSlow);
        stage.expect("AHCP-DLV-003", isRepeated, `after ${what} it is not tried again`);
      }
    },
  },
  {
    name: "delivery-attempts",
    slow: true,
    says: "it is tried five times and more, at growing distances, but not for ever",
    rules: ["AHCP-DLV-004", "AHCP-DLV-006"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 900_000,
    waits: 120_000,
    async play(stage) {
      const { callback } = await answered(stage, [500]);
      await firstPush(stage, callback);
      const first = await pauses(stage, callback, 5);
      const made = callback.arrivals.length;
      if (made < 5 && !stage.has("clock")) return stage.skip("AHCP-DLV-004", tooSlow);
      stage.expect("AHCP-DLV-004", made >= 5, `it gives up after ${made} attempts`);
      if (made < 5) return;
      const isGrowing = median(first.slice(2)) > median(first.slice(0, 2));
      stage.expect("AHCP-DLV-004", isGrowing, `the pauses do not grow: ${first.join(", ")} ms`, "SHOULD");
      if (!stage.has("clock"))
        return stage.skip("AHCP-DLV-006", "its clock cannot be put forward to where it gives up");
      await keepsComing(stage, callback, endless, twoDays, hour);
      const isOver = callback.arrivals.length < endless;
      stage.expect("AHCP-DLV-006", isOver, `after ${endless} attempts it still goes on`);
    },
  },
  {
    name: "delivery-refused",
    says: "what the callback refuses is not sent again",
    rules: ["AHCP-DLV-005"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 300_000,
    waits: 35_000,
    async play(stage) {
      const limited: Reaction = { status: 429, headers: { "retry-after": "1" } };
      const refusals: Reaction[] = [400, 404, 410, 422, limited];
      const sent = await Promise.all(refusals.map((reaction) => answered(stage, [reaction])));
      for (const [index, { callback }] of sent.entries()) {
        await firstPush(stage, callback);
        const isRepeated = await exceeds(stage, callback, 1, index === 0 ? hour : 1000);
        const reaction = refusals[index];
        const status = typeof reaction === "object" ? reaction.status : reaction;
        stage.expect("AHCP-DLV-005", !isRepeated, `after HTTP ${status} it is sent again`);
      }
    },
  },
  {
    name: "delivery-same",
    says: "what is sent again is the same",
    rules: ["AHCP-DLV-007"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 120_000,
    async play(stage) {
      const { callback } = await answered(stage, [503, 503, 200]);
      const first = bodyOf(await firstPush(stage, callback));
      await keepsComing(stage, callback, 3, twoDays);
      const { resolution_id: _, ...rest } = first;
      if (callback.arrivals.length < 2) return stage.skip("AHCP-DLV-007", "it is not tried again");
      for (const arrival of callback.arrivals.slice(1)) {
        const { resolution_id: id, ...again } = bodyOf(arrival);
        stage.expect(
          "AHCP-DLV-007",
          equal(again, rest) && id !== undefined,
          "an attempt has another body than the first",
        );
      }
    },
  },
  {
    name: "delivery-given-up",
    says: "what could not be delivered can be read",
    rules: ["AHCP-DLV-008"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 600_000,
    waits: 30_000,
    async play(stage) {
      for (const reaction of [410, 500]) {
        const { id, callback } = await answered(stage, [reaction]);
        await firstPush(stage, callback);
        await exceeds(stage, callback, endless, stage.has("clock") ? hour : minute);
        const reply = await read(stage, id);
        const isThere =
          reply.status === 200 && isObject(reply.json) && outcomeOf(reply.json).envelope.resolution === "answered";
        const why = `after HTTP ${reaction} at the callback the outcome cannot be read: ${inShort(reply)}`;
        stage.expect("AHCP-DLV-008", isThere, why);
      }
    },
  },
  {
    name: "delivery-thanked",
    says: "what has arrived is not sent on and on",
    rules: ["AHCP-DLV-009"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 300_000,
    waits: 30_000,
    async play(stage) {
      const reactions: Reaction[] = [204, { status: 200, afterMs: 300 }];
      for (const reaction of reactions) {
        const { callback } = await answered(stage, [reaction]);
        await firstPush(stage, callback);
        // At least once may be twice.
        await exceeds(stage, callback, 2, 10 * minute);
        const times = callback.arrivals.length;
        stage.expect("AHCP-DLV-009", times <= 2, `what the callback took at once was sent ${times} times`);
      }
    },
  },
  {
    name: "delivery-token",
    says: "a token accompanies the push, where the callback has one",
    rules: ["AHCP-DLV-011"],
    needs: [...pushNeeds, "resolve", "bind"],
    withinMs: 120_000,
    async play(stage) {
      for (const scheme of ["bearer", "apikey"] as const) {
        const callback = await stage.callback([200]);
        if (!(await bind(stage, callback.url)))
          return stage.skip("AHCP-DLV-011", "the hub does not take the callback's host for the agent's");
        const { id } = await askWithPush(stage, callback, {}, scheme);
        await resolved(stage, id);
        const { header, isThere } = await tokenOf(stage, scheme, await firstPush(stage, callback));
        stage.expect("AHCP-DLV-011", isThere, `with the scheme ${scheme} no token comes along in ${header}`);
      }
    },
  },
];
