import type { Json, JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../draw.ts";
import { ask, messageOf, type PartyAnswer, type Peer, request } from "../parties.ts";

/** Contents that JSON serializers write differently. An agent that stores messages has to sign these contents in its answers. */
export const trickyParts: readonly JsonObject[] = [
  { text: "<b>2 < 3 & 5 > 4</b> e\u0301\u2028" },
  { text: 'C:\\bridge\\plan/2 "open"\t\u007f\u0001' },
  { data: { "\u{1f309}": "bridge", "\uff5e": "tilde", spans: [], open: null, length: 1e21 } },
  { data: { "10": "ten", "9": "nine", "\u20ac": "euro", "\r": "return", A: 1, a: 2, aa: 3 } },
];

/** Spellings of numbers that some libraries write differently from RFC 8785. All parsers that use doubles read the same number. */
export const numbers: readonly string[] = [
  "1e21",
  "1e+21",
  "100000000000000000000",
  "1e23",
  "123456789012345680000",
  "-1E2",
  "1.7976931348623157e308",
  "1e-7",
  "0.0000001",
  "0.000001",
  "1.5e-9",
  "5e-324",
  "0.1",
  "4.50",
  "2e-3",
  "333333333.3333333",
  "1.0",
  "100.0",
  "-0",
  "-0.0",
  "0e5",
  "9007199254740991",
  "9007199254740992",
];

/** How many numbers one message contains. */
const batchSize = 6;

/** Sends requests with such contents, and reads their tasks. The seed selects 18 of the numbers. */
export async function contents(
  context: ScenarioContext,
  peer: Peer,
): Promise<[request: JsonObject, answer: PartyAnswer][]> {
  const draw = drawFor(context);
  const exchanges: [request: JsonObject, answer: PartyAnswer][] = [];
  const sendPart = async (part: JsonObject, write: (message: JsonObject) => JsonObject | string): Promise<void> => {
    const { message, ...members } = messageOf(context) as { message: JsonObject };
    const payload = { ...members, message: { ...message, parts: [message.parts, part].flat() as Json } };
    const sent = await request(context, peer, "message/send", payload);
    const answer = await ask(context, peer, write(sent));
    exchanges.push([sent, answer]);
    if (answer.task === undefined) return;
    const get = await request(context, peer, "tasks/get", { taskId: answer.task.id as Json });
    exchanges.push([get, await ask(context, peer, get)]);
  };
  for (const part of trickyParts) await sendPart(part, (request) => request);
  const drawnNumbers = draw.some(numbers, batchSize * 3);
  for (let first = 0; first < drawnNumbers.length; first += batchSize) {
    const spellings = drawnNumbers.slice(first, first + batchSize);
    const values = spellings.map(Number);
    // The numbers are sent in a spelling other than the signed one.
    await sendPart({ data: { numbers: values } }, (request) =>
      JSON.stringify(request).replace(`"numbers":${JSON.stringify(values)}`, `"numbers":[${spellings.join(",")}]`),
    );
  }
  return exchanges;
}
