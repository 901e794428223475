import { expect, it } from "vitest";
import type { Document } from "../../../schemas/index.ts";
import { documentWithoutPath, nextCommands } from "./next-commands.ts";

const document = (name: string, members: Partial<Document> = {}) => ({ name, role: "entry", ...members }) as Document;

it("suggests an endpoint only for a document that is sent and has none", () => {
  const documentWithEndpoint = document("open", { endpoint: { path: "/rpc" } as Document["endpoint"] & object });
  const unsent = document("ping", { unsent: "a notification gets no answer" });
  const emitted = document("opened", { role: "emitted" });
  expect(documentWithoutPath([documentWithEndpoint, unsent, emitted])).toBeUndefined();
  expect(documentWithoutPath([documentWithEndpoint, unsent, document("close")])?.name).toBe("close");
  expect(nextCommands("boxes", undefined, undefined).at(-1)).toMatch(/ --http http:\S+$/);
  expect(nextCommands("boxes", document("close"), undefined).at(-1)).toMatch(/ --endpoint close=\/path$/);
});
