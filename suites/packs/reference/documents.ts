import { type Document, type Json, type Protocol, pointer, type Service } from "../../../schemas/index.ts";
import { fixedValuesOf, mayBeDocument } from "./kinds.ts";
import { locateSchemas } from "./locations.ts";
import { rulingOn, statusOf } from "./service.ts";

/** The service for a protocol without its own service. It judges each document at its endpoint in the profile. */
export function serviceForDocuments({ name, profile, foreign, schemas }: Protocol): Service {
  const servedDocuments = foreign === true ? profile.documents.filter(({ endpoint, wrap }) => endpoint && !wrap) : [];
  const endpoints = new Set(servedDocuments.map(endpointKeyOf));
  const locations = locateSchemas(schemas);
  const valuesByDocument = new Map(
    servedDocuments.map((document) => [document.name, fixedValuesOf(document, locations)]),
  );
  const likelyDocuments = (documents: readonly Document[], value: Json): Document[] =>
    documents.filter(
      (document) =>
        meetsConditions(document, value) && mayBeDocument(value, valuesByDocument.get(document.name) ?? new Map()),
    );
  const [acceptedStatus] = profile.http.accepted.flatMap(({ status }) => status);
  const [rejectedStatus = 422] = profile.http.rejected.flatMap(({ status }) => status).reverse();
  return {
    protocol: name,
    media: ["application/json"],
    routes(app, { intake, judge }) {
      for (const endpointKey of endpoints) {
        const documents = servedDocuments.filter((document) => endpointKeyOf(document) === endpointKey) as [
          Document,
          ...Document[],
        ];
        const [{ endpoint }] = documents;
        const handler = intake({
          judge: ({ value, bytes }) => {
            const findings = likelyDocuments(documents, value).map((document) => judge(document, value, bytes));
            return rulingOn(
              findings.find(({ breaches }) => breaches.length === 0) ??
                findings[0] ??
                judge(documents[0], value, bytes),
            );
          },
          accepted: () => Response.json({ valid: true }, { status: endpoint?.accepted?.[0] ?? acceptedStatus ?? 200 }),
          refused: (refusal) =>
            Response.json(
              { valid: false, errors: refusal.reasons },
              { status: statusOf(refusal, endpoint?.rejected?.at(-1) ?? rejectedStatus) },
            ),
        });
        app.on(endpoint?.method ?? "POST", endpoint?.path ?? "/", handler);
      }
    },
  };
}

function endpointKeyOf({ endpoint }: Document): string {
  return `${endpoint?.method} ${endpoint?.path}`;
}

/** Whether the members that distinguish documents have this document's values. */
function meetsConditions({ when = {} }: Document, value: Json): boolean {
  return Object.entries(when).every(([at, values]) => values.some((accepted) => accepted === pointer.at(at, value)));
}
