import type { Protocol, Question } from "../../../schemas/index.ts";
import { mistakenIn } from "./intake.ts";
import { misplacedText, nowhere, waysOf } from "./route.ts";

/** Whether a server at the endpoints of the profile is sent a question, as far as this is known without the server. */
export async function sendableOf(protocol: Protocol): Promise<(question: Question) => boolean> {
  const ways = waysOf(protocol, {});
  const mistaken = await mistakenIn(protocol, ways.values());
  return (question) => {
    const way = ways.get(question.document.name) ?? nowhere;
    const { route, isWrapped } = way;
    if (route === undefined || misplacedText(route, question, isWrapped) !== undefined) return false;
    return mistaken(question, way) === undefined;
  };
}
