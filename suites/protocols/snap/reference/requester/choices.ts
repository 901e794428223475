import type { PolicyChoice } from "../choice.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A choice of a requester. */
export type RequesterChoice = PolicyChoice<RequesterDecisions, never>;

/** Makes a choice not to check one member of an answer. */
function trustChoice(
  name: string,
  says: string,
  member: keyof RequesterDecisions["checkedMembers"],
  freedom: string,
): RequesterChoice {
  return {
    name,
    kind: "freedom",
    freedoms: [freedom],
    says,
    policy: ({ checkedMembers }) => ({ checkedMembers: { ...checkedMembers, [member]: false } }),
  };
}

function actLate(milliseconds: number): RequesterChoice {
  return {
    name: `acts-after-${milliseconds}`,
    kind: "tempo",
    factor: "acts",
    freedoms: [],
    says: `waits ${milliseconds} milliseconds before each operation`,
    policy: () => ({ delay: milliseconds }),
  };
}

/** All choices of a conforming requester that the reference itself does not make. */
export const requesterChoices: readonly RequesterChoice[] = [
  trustChoice("trusts-times", "accepts an answer with any timestamp", "time", "stale-responses"),
  trustChoice("trusts-senders", "accepts an answer from any sender", "sender", "requester-checks"),
  trustChoice("trusts-recipients", "accepts an answer to any recipient", "recipient", "requester-checks"),
  {
    name: "tries-once",
    kind: "freedom",
    factor: "attempts",
    freedoms: ["retries"],
    says: "tries once",
    moots: ["breaks-SNAP-REPLAY-006-retried"],
    policy: () => ({ pauseAfter: () => undefined }),
  },
  {
    name: "waits-longer",
    kind: "tempo",
    factor: "attempts",
    freedoms: ["retries"],
    says: "waits 300 milliseconds longer than required before it tries again",
    policy: ({ pauseAfter }) => ({
      pauseAfter(failure, attempts, pauses) {
        const pause = pauseAfter(failure, attempts, pauses);
        return pause === undefined ? undefined : pause + 300;
      },
    }),
  },
  {
    name: "gives-up-streams",
    kind: "freedom",
    freedoms: ["streaming"],
    says: "gives up a broken stream",
    policy: () => ({ resumes: false }),
  },
  {
    name: "demands-signatures",
    kind: "freedom",
    freedoms: ["unsigned-answers"],
    says: "accepts no unsigned messages",
    policy: () => ({ acceptsUnsigned: false }),
  },
  {
    name: "sends-extensions",
    kind: "freedom",
    freedoms: [],
    says: "sends its own extension members",
    policy: ({ editRequest }) => ({
      editRequest: (message, requester) => ({ ...editRequest(message, requester), "x-trace": { hops: [1, null] } }),
    }),
  },
  {
    name: "closes-connections",
    kind: "transport",
    freedoms: [],
    says: "closes the connection after each answer",
    policy: ({ headers }) => ({ headers: (headersBefore) => ({ ...headers(headersBefore), connection: "close" }) }),
  },
  {
    name: "names-its-charset",
    kind: "transport",
    freedoms: [],
    says: "names the character set of its messages",
    policy: ({ headers }) => ({
      headers(headersBefore) {
        const baseHeaders = headers(headersBefore);
        const type = baseHeaders["content-type"];
        return type === undefined ? baseHeaders : { ...baseHeaders, "content-type": `${type}; charset=utf-8` };
      },
    }),
  },
  {
    name: "spaces-and-escapes",
    kind: "transport",
    freedoms: [],
    says: "writes its JSON with spaces, and escapes all that is not ASCII",
    policy: () => ({
      serialize: (message) =>
        JSON.stringify(message, null, 1).replace(
          /[\u007f-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        ),
    }),
  },
  ...[100, 1000].map(actLate),
];
