import type { Protocol, Question } from "../../../schemas/index.ts";
import { skipFinderFor } from "./intake.ts";
import { misplacedText, noRoute, routesOf } from "./route.ts";

/** Returns a predicate that checks whether a question can be sent to a server with the endpoints of the profile, as far as this is known without the server. */
export async function sendableOf(protocol: Protocol): Promise<(question: Question) => boolean> {
  const routes = routesOf(protocol, {});
  const findSkip = await skipFinderFor(protocol, routes.values());
  return (question) => {
    const documentRoute = routes.get(question.document.name) ?? noRoute;
    const { route, isWrapped } = documentRoute;
    if (route === undefined || misplacedText(route, question, isWrapped) !== undefined) return false;
    return findSkip(question, documentRoute) === undefined;
  };
}
