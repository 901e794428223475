import { type Document, type Json, type Protocol, pointer, type Service } from "../../../schemas/index.ts";
import { documentWords, mayBeDocument } from "./kinds.ts";
import { locateSchemas } from "./locations.ts";
import { rulingOn, statusOf } from "./service.ts";

/** The service of a protocol without one of its own: judges by document, at the endpoints in its profile. */
export function documentsOnly({ name, profile, foreign, schemas }: Protocol): Service {
  const reached = foreign === true ? profile.documents.filter(({ endpoint, wrap }) => endpoint && !wrap) : [];
  const places = new Set(reached.map(placeOf));
  const locations = locateSchemas(schemas);
  const words = new Map(reached.map((document) => [document.name, documentWords(document, locations)]));
  const likelyDocuments = (documents: readonly Document[], value: Json): Document[] =>
    documents.filter(
      (document) => meetsConditions(document, value) && mayBeDocument(value, words.get(document.name) ?? new Map()),
    );
  const [yes] = profile.http.accepted.flatMap(({ status }) => status);
  const [no = 422] = profile.http.rejected.flatMap(({ status }) => status).reverse();
  return {
    protocol: name,
    media: ["application/json"],
    routes(app, { intake, judge }) {
      for (const place of places) {
        const documents = reached.filter((document) => placeOf(document) === place) as [Document, ...Document[]];
        const [{ endpoint }] = documents;
        const handler = intake({
          judge: ({ value, bytes }) => {
            const judged = likelyDocuments(documents, value).map((document) => judge(document, value, bytes));
            return rulingOn(
              judged.find(({ breaches }) => breaches.length === 0) ?? judged[0] ?? judge(documents[0], value, bytes),
            );
          },
          accepted: () => Response.json({ valid: true }, { status: endpoint?.accepted?.[0] ?? yes ?? 200 }),
          refused: (refusal) =>
            Response.json(
              { valid: false, errors: refusal.reasons },
              { status: statusOf(refusal, endpoint?.rejected?.at(-1) ?? no) },
            ),
        });
        app.on(endpoint?.method ?? "POST", endpoint?.path ?? "/", handler);
      }
    },
  };
}

function placeOf({ endpoint }: Document): string {
  return `${endpoint?.method} ${endpoint?.path}`;
}

/** Whether the members that distinguish documents have this document's values. */
function meetsConditions({ when = {} }: Document, value: Json): boolean {
  return Object.entries(when).every(([at, values]) => values.some((each) => each === pointer.at(at, value)));
}
