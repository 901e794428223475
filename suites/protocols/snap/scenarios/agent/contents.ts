import type { Json, JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawFor } from "../draw.ts";
import { ask, messageOf, type PartyAnswer, type Peer, request } from "../parties.ts";

/** Contents that JSON writers spell differently. An agent that stores its messages has to sign them as well. */
export const trickyParts: readonly JsonObject[] = [
  { text: "<b>2 < 3 & 5 > 4</b> e\u0301\u2028" },
  { text: 'C:\\bridge\\plan/2 "open"\t\u007f\u0001' },
  { data: { "\u{1f309}": "bridge", "\uff5e": "tilde", spans: [], open: null, length: 1e21 } },
  { data: { "10": "ten", "9": "nine", "\u20ac": "euro", "\r": "return", A: 1, a: 2, aa: 3 } },
];

/** Texts of numbers that some libraries write differently from RFC 8785; each is the same number for every reader of doubles. */
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

/** How many numbers one message contains. A few seeds cover every kind of number. */
const batchSize = 6;

/** Answers to requests with such contents, and to requests for their tasks; the seed selects three in four kinds. */
export async function contents(
  context: ScenarioContext,
  peer: Peer,
): Promise<[request: JsonObject, answer: PartyAnswer][]> {
  const draw = drawFor(context);
  const exchangesMade: [request: JsonObject, answer: PartyAnswer][] = [];
  const sendPart = async (part: JsonObject, write: (message: JsonObject) => JsonObject | string): Promise<void> => {
    const { message, ...members } = messageOf(context) as { message: JsonObject };
    const payload = { ...members, message: { ...message, parts: [message.parts, part].flat() as Json } };
    const sent = await request(context, peer, "message/send", payload);
    const answer = await ask(context, peer, write(sent));
    exchangesMade.push([sent, answer]);
    if (answer.task === undefined) return;
    const get = await request(context, peer, "tasks/get", { taskId: answer.task.id as Json });
    exchangesMade.push([get, await ask(context, peer, get)]);
  };
  for (const part of trickyParts) await sendPart(part, (request) => request);
  const drawnNumbers = draw.some(numbers, batchSize * 3);
  for (let first = 0; first < drawnNumbers.length; first += batchSize) {
    const texts = drawnNumbers.slice(first, first + batchSize);
    const values = texts.map(Number);
    // The text has other digits than the signed text, but the same meaning.
    await sendPart({ data: { numbers: values } }, (request) =>
      JSON.stringify(request).replace(`"numbers":${JSON.stringify(values)}`, `"numbers":[${texts.join(",")}]`),
    );
  }
  return exchangesMade;
}
