import { isObject, type Json } from "../../../../../schemas/index.ts";
import type { PolicyChoice } from "../choice.ts";
import type { Transport } from "../transport.ts";
import type { AgentDecisions, AgentSettings } from "./agent.ts";

/** A choice of an agent, with the settings that it needs. */
export interface AgentChoice extends PolicyChoice<AgentDecisions, Transport> {
  settings?: AgentSettings;
  /** Whether the agent can be reached only over HTTP. */
  isAlone?: true;
}

/** Makes a choice to finish tasks this many milliseconds after the answer, by the agent's clock. */
function finishLate(milliseconds: number): AgentChoice {
  return {
    name: `finishes-after-${milliseconds}`,
    kind: "tempo",
    factor: "pace",
    freedoms: ["pace"],
    says: `finishes a task ${milliseconds} milliseconds after its answer`,
    policy: () => ({ workMs: milliseconds }),
  };
}

function answerLate(milliseconds: number): AgentChoice {
  return {
    name: `answers-after-${milliseconds}`,
    kind: "tempo",
    factor: "answers",
    freedoms: [],
    says: `needs ${milliseconds} milliseconds for each answer`,
    transport: { delay: milliseconds },
  };
}

/** Choices about the times at which an agent acts and answers. */
export const tempos: readonly AgentChoice[] = [
  ...[100, 1000, 3000].map(finishLate),
  ...[20, 100].map(answerLate),
  {
    name: "streams-slowly",
    kind: "tempo",
    freedoms: [],
    says: "needs 300 milliseconds for each step that it streams",
    policy: () => ({ stepMs: 300 }),
  },
  {
    name: "pings-by-its-own-timer",
    kind: "tempo",
    freedoms: [],
    says: "pings by a timer that the clock hook does not move",
    policy: () => ({ movesPings: false }),
  },
];

const framingChoice = (name: string, says: string, frame: AgentDecisions["frame"]): AgentChoice => ({
  name,
  kind: "transport",
  factor: "frames",
  freedoms: [],
  says,
  policy: () => ({ frame }),
});

function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [name, reverseMembers(member as Json)]);
  return Object.fromEntries(members.reverse());
}

/** Choices about how an agent sends bytes and uses connections. */
export const transports: readonly AgentChoice[] = [
  framingChoice("frames-with-crlf", "ends the lines of a stream with CR and LF", (text) => `data: ${text}\r\n\r\n`),
  framingChoice("frames-with-cr", "ends the lines of a stream with CR alone", (text) => `data: ${text}\r\r`),
  framingChoice("frames-with-comments", "puts comments and fields between the items of a stream", (text) =>
    [": still here", "", "id: 1", "event: message", "retry: 3000", `data:${text}`, "", ""].join("\n"),
  ),
  {
    name: "writes-in-pieces",
    kind: "transport",
    freedoms: [],
    says: "writes seven bytes at a time",
    transport: { piece: 7 },
  },
  {
    name: "closes-when-idle",
    kind: "transport",
    factor: "connections",
    freedoms: [],
    says: "closes a connection without a request after 50 milliseconds",
    transport: { idle: 50 },
  },
  {
    name: "closes-after-each-answer",
    kind: "transport",
    factor: "connections",
    freedoms: [],
    says: "closes the connection after each answer",
    transport: { closes: true },
  },
  {
    name: "headers-with-the-first-item",
    kind: "transport",
    freedoms: [],
    says: "sends the headers of a stream with its first item",
    transport: { holdsHeaders: true },
  },
  {
    name: "unavailable-at-times",
    kind: "transport",
    freedoms: [],
    says: "refuses each ninth message with status 503 and a time to wait",
    transport: { unavailableEach: 9 },
  },
  {
    name: "members-turned-round",
    kind: "transport",
    factor: "spelling",
    freedoms: [],
    says: "writes the members of every object in the opposite order",
    transport: { respells: (text) => JSON.stringify(reverseMembers(JSON.parse(text) as Json)) },
  },
  {
    name: "spaces-and-escapes",
    kind: "transport",
    factor: "spelling",
    freedoms: [],
    says: "writes its JSON with spaces, and escapes all that is not ASCII",
    transport: {
      respells: (text) =>
        JSON.stringify(JSON.parse(text), null, 1).replace(
          /[\u007f-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        ),
    },
  },
  {
    name: "names-its-charset",
    kind: "transport",
    freedoms: [],
    says: "names the character set of its answers",
    policy: ({ http }) => ({
      http(answer, about) {
        const { status, headers } = http(answer, about);
        const type = headers["content-type"];
        return {
          status,
          headers: { ...headers, ...(type === undefined ? {} : { "content-type": `${type}; charset=utf-8` }) },
        };
      },
    }),
  },
];
